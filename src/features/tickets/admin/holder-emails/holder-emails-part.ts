import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { drawPreviews } from "#admin/email-preview.ts";
import type { AdminPart } from "#admin/feature.ts";
import { typedText } from "#admin/typed-text.ts";
import { plainLine } from "#shared/contract/plain-line.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { formatTime } from "#shared/language.ts";
import { readSender } from "#shared/mail/compose-email.ts";
import type { Mail } from "#shared/mail/mail.ts";
import { previewHolderEmail, trialEmail } from "../../server/emails/holder-email.ts";
import {
  countHolders,
  type HolderEmailServices,
  listHolderEmails,
  stopHolderEmail,
  writeHolderEmail,
} from "../../server/holder-emails/holder-emails.ts";
import { requireEvent } from "../ticket-services.ts";

export type HolderEmailAdminServices = HolderEmailServices &
  CoreServices<"files" | "organisation", "publicUrl"> & { readonly mail: Mail };

export type HolderEmailsOfEvent = {
  readonly event: EventOfScreen;
  readonly people: { readonly all: number; readonly came: number };
  readonly emails: Awaited<ReturnType<typeof listHolderEmails>>;
  readonly isOver: boolean;
  readonly formId: string;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** Null if there is no such event. */
    readonly findHolderEmails: (screenId: string) => Promise<HolderEmailsOfEvent | null>;
  }
}

const SCREEN = "/admin/events/:id/emails";
const acting = { screen: SCREEN, right: "events.change" } as const;

/** Emails that staff write to the holders of an event's tickets. */
export function holderEmailsPart(services: HolderEmailAdminServices): AdminPart {
  const { database, now } = services;
  return {
    reads: {
      findHolderEmails: async (screenId: string): Promise<HolderEmailsOfEvent | null> => {
        const event = await findEventOfScreen(database, screenId);
        if (event === null) return null;
        const [people, emails] = await Promise.all([
          countHolders(database, event.id),
          listHolderEmails(database, event.id),
        ]);
        return { event, people, emails, isOver: event.endsAt <= now(), formId: randomUUID() };
      },
    },
    actions: [sendAction(services), previewAction(services), tryAction(services), stopAction(services)],
  };
}

const Fields = z.object({
  form: z.uuid(),
  kind: z.enum(["reminder", "news", "thanks"]),
  subject: z
    .string()
    .trim()
    .min(1, "Write a subject.")
    .max(78, "Shorten the subject to at most 78 characters.")
    .regex(plainLine, "Write the subject without control characters."),
  body: typedText("Write what the email says.", 5000),
  to: z.enum(["all", "came"]).default("all"),
});

const sendAction = (services: HolderEmailAdminServices): Action =>
  action({
    path: SCREEN,
    ...acting,
    fields: Fields,
    run: async ({ params, fields, actor, staff }) => {
      const event = await requireEvent(services.database, params.id);
      const { all, came } = await countHolders(services.database, event.id);
      if ((fields.to === "came" ? came : all) === 0) throw new Refusal("There is nobody to send it to.");
      const { form: id, kind, subject, body } = fields;
      const goesAt = await writeHolderEmail(
        services,
        { id, event, kind, subject, body, onlyCame: fields.to === "came" },
        { ...actor, staff },
      );
      return {
        to: `/admin/events/${event.screenId}/emails`,
        toast: `It goes out at ${formatTime(goesAt, "Australia/Sydney")} in Sydney. Until then you can stop it.`,
      };
    },
  });

/** The whole email in a tab of its own. Nothing is saved or sent. */
const previewAction = (services: HolderEmailAdminServices): Action =>
  action({
    path: `${SCREEN}/preview`,
    ...acting,
    fields: Fields,
    run: async ({ params, fields }) => {
      const event = await requireEvent(services.database, params.id);
      const sender = await readSender(services);
      const examples = { "Two tickets": () => previewHolderEmail(sender, event, fields) };
      return { file: drawPreviews({ title: fields.subject, examples }, sender) };
    },
  });

/** Sent while they wait, so that what they typed is kept nowhere. */
const tryAction = (services: HolderEmailAdminServices): Action =>
  action({
    path: `${SCREEN}/try`,
    ...acting,
    fields: Fields,
    run: async ({ params, fields: words, staff }) => {
      const event = await requireEvent(services.database, params.id);
      const to = { name: staff.name, address: staff.email };
      await services.mail.send(trialEmail(await readSender(services), event, { to, words })).catch(() => {
        throw new Refusal(
          "Nothing was sent: the mail server did not take it. Try again in a few minutes, or ask an administrator.",
        );
      });
      return { check: `We have sent it to ${staff.email}, with an invented name. Nobody else gets it yet.` };
    },
  });

const stopAction = (services: HolderEmailAdminServices): Action =>
  action({
    path: `${SCREEN}/:email/stop`,
    ...acting,
    fields: z.object({}),
    run: async ({ params, actor, staff }) => {
      const event = await requireEvent(services.database, params.id);
      const id = z.uuid().safeParse(params.email).data;
      if (id === undefined) throw new Refusal("There is no such email.");
      await stopHolderEmail(services, { id, event }, { ...actor, staff });
      return { to: `/admin/events/${event.screenId}/emails`, toast: "Stopped. Nobody gets it." };
    },
  });
