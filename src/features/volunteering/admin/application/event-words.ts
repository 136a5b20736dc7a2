import type { HitGroup } from "#admin/search.ts";
import { formatList } from "#shared/language.ts";
import { labels } from "../../application.ts";
import type { OwnWords } from "../../own-words.ts";
import { APPLICANT } from "../../server/application-actor.ts";
import { sensitiveDetails } from "../../server/reads.ts";
import type { ShownApplication } from "./find-application.ts";

type ShownEvent = {
  readonly key: number;
  readonly at: Date;
  readonly icon: HitGroup["icon"];
  /** A member of staff; null for the applicant and the site. */
  readonly who: string | null;
  readonly text: string;
  /** What somebody wrote. */
  readonly quote?: string;
};

type Event = ShownApplication["events"][number];
type Detail = {
  readonly roles?: readonly string[];
  readonly words?: OwnWords;
  readonly text?: string;
  readonly why?: string;
  readonly which?: "photo" | "signature";
  readonly fields?: readonly (keyof typeof labels)[];
  readonly hasLapsed?: boolean;
};

/** What happened to an application, latest first, as sentences that follow a name or stand alone. */
export function describeEvents(events: readonly Event[]): ShownEvent[] {
  return events.map(describeEvent).reverse();
}

function describeEvent({ id, at, actor, event, detail }: Event): ShownEvent {
  const isStaff = actor !== APPLICANT && actor !== "system";
  const { icon, text, quote } = wordsOf(event, (detail ?? {}) as Detail, isStaff);
  return { key: id, at, icon, who: isStaff ? actor : null, text, ...(quote === undefined ? {} : { quote }) };
}

type EventWords = Pick<ShownEvent, "icon" | "text" | "quote">;

function wordsOf(event: string, detail: Detail, isStaff: boolean): EventWords {
  const roles = formatList(detail.roles ?? [], "and");
  const email = detail.words === undefined ? {} : { quote: detail.words.message };
  switch (event) {
    case "received":
      return { icon: "down", text: "The application arrived." };
    case "review_started":
      return { icon: "right", text: "began the review." };
    case "approved":
      return { icon: "ok", text: `approved it for ${roles}, and we emailed that.`, ...email };
    case "put_on_waiting_list":
      return { icon: "clock", text: "put it on the waiting list, and we emailed that.", ...email };
    case "declined":
      return { icon: "no", text: "declined it, and we emailed that.", ...email };
    case "withdrawn":
      return isStaff
        ? { icon: "out", text: "withdrew it for the applicant, and we emailed that.", ...email }
        : { icon: "out", text: "The applicant withdrew it." };
    case "reopened":
      return { icon: "again", text: "took it back into review." };
    case "asked":
      return { icon: "mail", text: "asked the applicant by email:", ...email };
    case "note":
      return { icon: "note", text: "noted:", quote: detail.text ?? "" };
    default:
      return otherWords(event, detail, roles);
  }
}

function otherWords(event: string, detail: Detail, roles: string): EventWords {
  const why = detail.why === undefined ? {} : { quote: detail.why };
  switch (event) {
    case "roles_changed":
      return { icon: "swap", text: `changed the roles to ${roles}.` };
    case "details_changed":
      return { icon: "user", text: `The applicant corrected ${nameFields(detail.fields ?? [])}.` };
    case "emergency_contact_viewed":
      return { icon: "eye", text: `looked at the ${sensitiveDetails.emergency}:`, ...why };
    case "file_viewed":
      return { icon: "eye", text: `looked at the ${sensitiveDetails[detail.which ?? "photo"]}:`, ...why };
    case "files_deleted":
      return { icon: "bin", text: "The photo and signature were deleted." };
    case "check_recorded":
      return { icon: "shield", text: "recorded a Working With Children Check." };
    case "check_verified":
      return { icon: "shield", text: "verified the check on the state’s register." };
    case "check_revoked":
      return { icon: "alert", text: "recorded that the register no longer shows the check as valid." };
    case "check_reminder_sent":
      return detail.hasLapsed === true
        ? { icon: "mail", text: "We wrote that the check has expired." }
        : { icon: "mail", text: "We wrote that the check expires soon." };
    default:
      return { icon: "info", text: event };
  }
}

function nameFields(fields: readonly (keyof typeof labels)[]): string {
  const names = fields.map((field) => {
    const label = (labels[field] ?? field).toLowerCase();
    return field.startsWith("emergency") ? `the emergency contact’s ${label}` : `the ${label}`;
  });
  return formatList(names, "and");
}
