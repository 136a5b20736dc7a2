import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import type { DashboardPart } from "#admin/dashboard.ts";
import { drawPreviews } from "#admin/email-preview.ts";
import type { AdminPart } from "#admin/feature.ts";
import { typedText } from "#admin/typed-text.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { plural } from "#shared/language.ts";
import { readSender } from "#shared/mail/compose-email.ts";
import { previewMoved } from "../../server/emails/moved-email.ts";
import {
  findUntold,
  listMoveEmails,
  listUntoldEvents,
  type MoveServices,
  tellHolders,
  type Untold,
} from "../../server/moves/event-moves.ts";
import { requireEvent } from "../ticket-services.ts";

export type MoveAdminServices = MoveServices & CoreServices<"files" | "organisation", "publicUrl">;

export type MovesOfEvent = {
  readonly event: EventOfScreen;
  /** Null if there is nothing to tell. */
  readonly untold: Untold | null;
  readonly sent: Awaited<ReturnType<typeof listMoveEmails>>;
  readonly formId: string;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** Null if there is no such event. */
    readonly findMoves: (screenId: string) => Promise<MovesOfEvent | null>;
  }
}

const SCREEN = "/admin/events/:id/moved";

/** Telling the holders of an event's tickets that it has another time or place. */
export function movesPart(services: MoveAdminServices): AdminPart {
  const { database } = services;
  return {
    reads: {
      findMoves: async (screenId: string): Promise<MovesOfEvent | null> => {
        const event = await findEventOfScreen(database, screenId);
        if (event === null) return null;
        const [untold, sent] = await Promise.all([findUntold(database, event.id), listMoveEmails(database, event.id)]);
        return { event, untold, sent, formId: randomUUID() };
      },
    },
    actions: [tellAction(services), previewAction(services)],
    dashboard: [untoldEvents(services)],
  };
}

const Note = typedText("", 1000, 0).default("");

const tellAction = (services: MoveAdminServices): Action =>
  action({
    path: SCREEN,
    screen: SCREEN,
    right: "events.change",
    fields: z.object({ form: z.uuid(), note: Note }),
    run: async ({ params, fields: { form: id, note }, actor, staff }) => {
      const event = await requireEvent(services.database, params.id);
      const count = await tellHolders(services, { id, event, note }, { ...actor, staff });
      const toast =
        count === null
          ? "The holders were told before. Nothing was sent again."
          : plural(count, { one: "1 email is on its way.", other: `${count} emails are on their way.` });
      return { to: `/admin/events/${event.screenId}/moved`, toast };
    },
  });

/** The whole email in a tab of its own. Nothing is saved or sent. */
const previewAction = (services: MoveAdminServices): Action =>
  action({
    path: `${SCREEN}/preview`,
    screen: SCREEN,
    right: "events.change",
    fields: z.object({ note: Note }),
    run: async ({ params, fields: { note } }) => {
      const event = await requireEvent(services.database, params.id);
      const untold = await findUntold(services.database, event.id);
      if (untold === null) throw new Refusal("The holders were told in the meantime.");
      const sender = await readSender(services);
      const examples = { "Two tickets": () => previewMoved(sender, { event, was: untold.was, note }) };
      return { file: drawPreviews({ title: `${event.title} has another time or place`, examples }, sender) };
    },
  });

const untoldEvents = ({ database, now }: MoveServices): DashboardPart => ({
  right: "events.change",
  listWaiting: async () =>
    (await listUntoldEvents(database, now())).map(({ title, screenId }) => ({
      text: `${title} has another time or place, and its ticket holders have not been told`,
      linkText: "Tell the holders",
      path: `/admin/events/${screenId}/moved`,
      look: "warn",
    })),
});
