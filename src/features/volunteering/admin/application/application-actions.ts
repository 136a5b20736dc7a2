import { z } from "zod";
import { type Action, action, Refusal, type SentForm, type ToCheck } from "#admin/actions.ts";
import { CARD_IN_TEXT, hasCardNumber } from "#admin/card-number.ts";
import { typedText } from "#admin/typed-text.ts";
import { messages } from "#shared/contract/messages.ts";
import { plainLine } from "#shared/contract/plain-line.ts";
import { AppError } from "#shared/errors.ts";
import { readSender } from "#shared/mail/compose-email.ts";
import type { OwnWords } from "../../own-words.ts";
import { decisionWords } from "../../server/applicant-emails.ts";
import { moveApplication } from "../../server/pipeline.ts";
import { findApplication, isSensitiveDetail, recordLook, sensitiveDetails } from "../../server/reads.ts";
import { changeRoles, findRolesFault } from "../../server/roles.ts";
import { addNote, askApplicant, recordAnswer } from "../../server/write-to-applicant.ts";
import type { Stage } from "../../stages.ts";
import type { VolunteerAdminServices } from "../volunteer-admin-services.ts";
import { applicationActorOf, isId } from "./find-application.ts";

export const applicationScreenPath = "/admin/volunteers/:id";
const path = applicationScreenPath;

/** Several tick boxes: none, one or a list. */
const Titles = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((value) => [value].flat().filter((title) => title !== ""));
const Version = z.coerce.number().int().min(1);
const LastAsked = z.coerce.number().int().min(0);
const Subject = z
  .string()
  .trim()
  .min(1, "Write what the email is about.")
  .max(150, messages.atMost(150))
  .regex(plainLine, messages.notPlain)
  .refine((text) => !hasCardNumber(text), CARD_IN_TEXT);
const Message = typedText("Write what the email says.", 5000);

/** Requires an id that may be one. @throws AppError `not_found`. */
export function requireId(id: string | undefined): string {
  if (!isId(id)) throw new AppError("not_found");
  return id;
}

/** What staff do to an application: moves, questions, notes, looks and roles. */
export function applicationActions(services: VolunteerAdminServices): readonly Action[] {
  return [
    reviewAction(services),
    approveAction(services),
    decisionAction(services, "waiting", "On the waiting list, and emailed."),
    decisionAction(services, "declined", "Declined, and emailed."),
    decisionAction(services, "withdrawn", "Withdrawn, and emailed. The photo and signature are deleted."),
    askAction(services),
    answeredAction(services),
    noteAction(services),
    lookAction(services),
    rolesAction(services),
  ];
}

/** Begins or repeats the review, from the board or the application; nobody is emailed. */
function reviewAction(services: VolunteerAdminServices): Action {
  return action({
    path: `${path}/review`,
    right: "applications.change",
    screen: path,
    fields: z.object({ version: Version, from: z.string().max(20).default("") }),
    async run({ params, fields: { version, from }, actor }) {
      const id = requireId(params.id);
      await move(services, { id, version, to: "in_review", ...applicationActorOf(actor) });
      return {
        to: from === "board" ? "/admin/volunteers?lane=in_review" : `/admin/volunteers/${id}`,
        toast: "In review.",
      };
    },
  });
}

/** First the roles are chosen, and refused if they are not permitted; then the email, which names them, is shown and can be changed. */
function approveAction(services: VolunteerAdminServices): Action {
  const Chosen = z.object({
    version: Version,
    roles: Titles.pipe(z.array(z.string()).min(1, "Choose at least one role.")),
  });
  const fields = z.discriminatedUnion("step", [
    Chosen.extend({ step: z.literal("check") }),
    Chosen.extend({ step: z.literal("send"), subject: Subject, message: Message }),
  ]);
  return action({
    path: `${path}/approved`,
    right: "applications.change",
    screen: path,
    fields,
    async run(sent) {
      const { fields: given } = sent;
      if (given.step === "check") {
        const wanted = { id: requireId(sent.params.id), wanted: given.roles, now: services.now() };
        const fault = await findRolesFault(services.database, wanted);
        if (fault !== null) throw new Refusal(fault.text);
        return {
          check: "Nothing was done yet. Read the email, change it if you like, then send it.",
        } satisfies ToCheck;
      }
      return decide(services, sent, { ...given, to: "approved", toast: "Approved, and emailed." });
    },
  });
}

function decisionAction(services: VolunteerAdminServices, to: Stage, toast: string): Action {
  return action({
    path: `${path}/${to}`,
    right: "applications.change",
    screen: path,
    fields: z.object({ version: Version, subject: Subject, message: Message }),
    run: (sent) => decide(services, sent, { ...sent.fields, roles: [], to, toast }),
  });
}

type Decision = OwnWords & {
  readonly version: number;
  readonly roles: readonly string[];
  readonly to: Stage;
  readonly toast: string;
};

async function decide(
  services: VolunteerAdminServices,
  { params, actor }: Pick<SentForm<unknown>, "params" | "actor">,
  { version, roles, to, toast, subject, message }: Decision,
) {
  const id = requireId(params.id);
  const application = await findApplication(services.database, id);
  if (application === undefined) throw new AppError("not_found");
  const usual = decisionWords(await readSender(services), {
    id,
    email: application.email,
    reference: application.reference,
    stage: to,
    stage_version: version,
    roles: [...roles],
  });
  const isUsual = usual?.subject === subject && usual.message === message;
  await move(services, {
    id,
    version,
    to,
    ...applicationActorOf(actor),
    ...(roles.length > 0 ? { roles } : {}),
    ...(isUsual ? {} : { words: { subject, message } }),
  });
  return { to: `/admin/volunteers/${id}`, toast };
}

/** @throws Refusal with what to do instead, AppError `not_found`. */
async function move(services: VolunteerAdminServices, given: Parameters<typeof moveApplication>[1]): Promise<void> {
  const moved = await moveApplication(services, given);
  if (moved.ok) return;
  if (moved.problem === "not_found") throw new AppError("not_found");
  throw new Refusal(moved.text);
}

function askAction(services: VolunteerAdminServices): Action {
  return action({
    path: `${path}/ask`,
    right: "applications.change",
    screen: path,
    fields: z.object({ version: Version, lastAsked: LastAsked, subject: Subject, message: Message }),
    async run({ params, fields: { version, lastAsked, ...words }, actor }) {
      const id = requireId(params.id);
      const fault = await askApplicant(services, { id, version, lastAsked, words, ...applicationActorOf(actor) });
      if (fault !== null) throw new Refusal(fault);
      return { to: `/admin/volunteers/${id}`, toast: "Your question is on its way." };
    },
  });
}

function answeredAction(services: VolunteerAdminServices): Action {
  return action({
    path: `${path}/answered`,
    right: "applications.change",
    screen: path,
    fields: z.object({ lastAsked: LastAsked }),
    async run({ params, fields: { lastAsked }, actor }) {
      const id = requireId(params.id);
      if (!(await recordAnswer(services, { id, lastAsked, ...applicationActorOf(actor) }))) {
        throw new Refusal("Nothing was recorded: somebody has recorded the answer already, or asked something else.");
      }
      return { to: `/admin/volunteers/${id}`, toast: "Recorded: the answer has come." };
    },
  });
}

function noteAction(services: VolunteerAdminServices): Action {
  return action({
    path: `${path}/note`,
    right: "applications.change",
    screen: path,
    fields: z.object({ text: typedText("Write the note.", 2000) }),
    async run({ params, fields: { text }, actor }) {
      const id = requireId(params.id);
      if (!(await addNote(services, { id, text, ...applicationActorOf(actor) }))) throw new AppError("not_found");
      return { to: `/admin/volunteers/${id}`, toast: "Noted." };
    },
  });
}

/** Records that somebody sees it; the screen then shows what was asked for, once. */
function lookAction(services: VolunteerAdminServices): Action {
  return action({
    path: `${path}/look`,
    right: "applications.sensitive",
    screen: path,
    fields: z.object({
      what: z.string().refine(isSensitiveDetail, "Choose what you want to see."),
      why: typedText("Say what you need it for.", 200),
    }),
    async run({ params, fields: { what, why }, actor }) {
      const id = requireId(params.id);
      if (!isSensitiveDetail(what)) throw new AppError("not_found");
      if (!(await recordLook(services, { id, what, why, ...applicationActorOf(actor) }))) {
        throw new Refusal(`There is no ${sensitiveDetails[what]} here any more.`);
      }
      return { check: `Recorded with your name: you looked at the ${sensitiveDetails[what]}.` };
    },
  });
}

function rolesAction(services: VolunteerAdminServices): Action {
  return action({
    path: `${path}/roles`,
    right: "applications.change",
    screen: path,
    fields: z.object({ version: Version, roles: Titles.pipe(z.array(z.string()).min(1, "Choose at least one role.")) }),
    async run({ params, fields: { version, roles }, actor }) {
      const id = requireId(params.id);
      const changed = await changeRoles(services, { id, version, roles, ...applicationActorOf(actor) });
      if (!changed.ok) throw new Refusal(changed.text);
      return { to: `/admin/volunteers/${id}`, toast: "The roles are changed." };
    },
  });
}
