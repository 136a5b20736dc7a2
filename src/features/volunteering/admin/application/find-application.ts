import { z } from "zod";
import type { Actor } from "#admin/audit.ts";
import type { AdminReads, FilledForm, ScreenRequest } from "#admin/screen.ts";
import { dayInSydney } from "#shared/language.ts";
import { readSender } from "#shared/mail/compose-email.ts";
import type { OwnWords } from "../../own-words.ts";
import { decisionWords, questionWords } from "../../server/applicant-emails.ts";
import { findApplication, readSensitiveDetail, type ShownSensitiveDetail } from "../../server/reads.ts";
import { listRoles, type VolunteerRole } from "../../server/roles.ts";
import { listHours } from "../../server/shift-places.ts";
import { type Stage, stageMoves } from "../../stages.ts";
import type { VolunteerAdminServices } from "../volunteer-admin-services.ts";

export type ShownApplication = NonNullable<Awaited<ReturnType<typeof findApplication>>>;

export type ApplicationScreenData = {
  readonly application: ShownApplication;
  readonly roles: readonly VolunteerRole[];
  /** The act whose form is open, by its name in the address. */
  readonly act: string;
  /** The email that this act sends, in its usual words; null if it sends none. */
  readonly words: OwnWords | null;
  /** What somebody has just asked to see, which is recorded. */
  readonly seen: ShownSensitiveDetail | null;
  /** How long they have volunteered, as far as it is recorded. */
  readonly minutes: number;
  readonly today: string;
  readonly now: Date;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly findVolunteerApplication: (request: ScreenRequest) => Promise<ApplicationScreenData | null>;
  }
}

/** Who acts, for the application's history and for the audit trail. */
export const applicationActorOf = (audit: Actor) => ({ actor: audit.staff?.name ?? "", audit });

export const isId = (text: string | undefined): text is string => z.uuid().safeParse(text).success;

export function applicationReads(services: VolunteerAdminServices): Partial<AdminReads> {
  return { findVolunteerApplication: (request) => findApplicationScreen(services, request) };
}

async function findApplicationScreen(
  services: VolunteerAdminServices,
  { params, query, form }: ScreenRequest,
): Promise<ApplicationScreenData | null> {
  const { database, now } = services;
  const { id } = params;
  const application = isId(id) ? await findApplication(database, id) : undefined;
  if (application === undefined) return null;
  const act = form === null ? (query.act ?? "") : (form.action.split("/").at(-1) ?? "");
  const at = now();
  return {
    application,
    act,
    minutes: (await listHours(database, application.id)).reduce((sum, { minutes }) => sum + minutes, 0),
    roles: await listRoles(database),
    words: await wordsOf(services, application, act, form),
    seen:
      form?.state === "checking" && act === "look"
        ? await readSensitiveDetail(services, application.id, whatOf(form))
        : null,
    today: dayInSydney(at),
    now: at,
  };
}

const whatOf = ({ values }: FilledForm) => values.what?.[0] ?? "";

/** The act's name in the address is the stage that it leads to, or `ask`. */
async function wordsOf(
  services: VolunteerAdminServices,
  application: ShownApplication,
  act: string,
  form: FilledForm | null,
): Promise<OwnWords | null> {
  const isStage = Object.hasOwn(stageMoves, act);
  if (act !== "ask" && !isStage) return null;
  const sender = await readSender(services);
  if (act === "ask") return questionWords(sender);
  const { id, email, reference, version } = application;
  const roles = form?.values.roles ?? [];
  return decisionWords(sender, {
    id,
    email,
    reference,
    stage: act as Stage,
    stage_version: version,
    roles: [...roles],
  });
}
