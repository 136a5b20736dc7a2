import { z } from "zod";
import type { AuditSubjects, AuditWords } from "#admin/acts.ts";
import { CARD_IN_SEARCH, hasCardNumber } from "#admin/card-number.ts";
import { plainText } from "#shared/contract/plain-line.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { addDays, startOfDayInSydney } from "#shared/language.ts";
import type { TrailFilter, TrailPlace } from "../server/audit-trail.ts";

/** The filters as typed in the address, to be shown again. */
export type AuditTexts = Readonly<Record<"q" | "who" | "what" | "from" | "to", string>>;

export type AuditQuery = {
  readonly texts: AuditTexts;
  readonly errors: FieldErrors;
  /** The filter without invalid values. `q` still has to be looked up. */
  readonly filter: Omit<TrailFilter, "about">;
  readonly place: TrailPlace;
};

/** In earlier years Sydney had no standard time. */
const Day = z.iso.date().refine((day) => day >= "2000-01-01" && day <= "2199-12-31");
const Id = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);

/** Reads an address. An invalid value gets an error for its field, and is left out of the filter. */
export function readAuditQuery(query: Readonly<Record<string, string>>): AuditQuery {
  const { q = "", from = "", to = "" } = query;
  const person = Id.safeParse(query.who);
  // Neither is typed: an address with others was made up, and an export would record them.
  const who = query.who === "commands" || person.success ? query.who! : "";
  const what = /^[\w-]{1,60}$/.test(query.what ?? "") ? query.what! : "";
  const hasCard = hasCardNumber(q);
  const texts = { q: hasCard ? "" : plainText(q), who, what, from, to };
  const [first, last] = [Day.safeParse(from), Day.safeParse(to)];
  const isBackwards = first.success && last.success && first.data > last.data;
  const errors = {
    ...(hasCard && { q: [CARD_IN_SEARCH] }),
    ...(from !== "" && !first.success && { from: ["Enter a date, such as 2026-11-22."] }),
    ...(to !== "" && !last.success && { to: ["Enter a date, such as 2026-11-22."] }),
    ...(isBackwards && { to: ["This is before the first day."] }),
  };
  const [before, after] = [Id.safeParse(query.before), Id.safeParse(query.after)];
  return {
    texts,
    errors,
    filter: {
      ...(who === "commands" ? { who } : person.success && { who: person.data }),
      ...(what !== "" && { group: what }),
      ...(first.success && { from: startOfDayInSydney(first.data) }),
      ...(last.success && !isBackwards && { until: startOfDayInSydney(addDays(last.data, 1)) }),
    },
    place: after.success ? { after: after.data } : before.success ? { before: before.data } : {},
  };
}

/** The first words of verbs with their names, for the filter. */
export function listGroups(words: AuditWords, subjects: AuditSubjects): { value: string; label: string }[] {
  const groups = [...new Set(Object.keys(words).map((verb) => verb.split(".", 1)[0]!))];
  return groups.map((value) => ({ value, label: subjects[value]?.group ?? value }));
}

/** What a typed text may mean: the id of anything, or what a feature finds by it. */
export async function findAbout(text: string, words: AuditWords, subjects: AuditSubjects) {
  const kinds = [...new Set([...Object.keys(subjects), ...Object.keys(words).map((verb) => verb.split(".", 1)[0]!)])];
  const found = await Promise.all(
    kinds.map(async (subject) => {
      const ids = [text, ...((await subjects[subject]?.find?.(text)) ?? [])];
      return [...new Set(ids)].map((subjectId) => ({ subject, subjectId }));
    }),
  );
  return found.flat();
}
