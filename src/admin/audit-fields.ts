import { formatDay, formatDollars, formatList, formatMoment } from "#shared/language.ts";
import type { Changes } from "./acts.ts";
import { isRole, roles } from "./rights.ts";

/**
 * The label of a field of `before` and `after`, and how its values are formatted. Without `format` a text shows as it
 * is.
 */
type AuditField = { readonly label: string; readonly format?: (value: unknown) => string };

/** By the field's name; a name means the same in every act. */
export type AuditFields = Readonly<Record<string, AuditField>>;

/** An amount recorded in cents as dollars; anything else as it is. */
export const formatCents = (value: unknown): string =>
  typeof value === "number" ? formatDollars(value) : formatPlain(value);
export const formatYesNo = (value: unknown): string => (value === true ? "Yes" : "No");
/** A day recorded as YYYY-MM-DD in words; anything else as it is. */
export const formatAuditDay = (value: unknown): string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) ? formatDay(value) : formatPlain(value);

/** Shows each of some values by its name; others as they are. */
export function formatByName(names: Readonly<Record<string, string>>) {
  return (value: unknown): string =>
    typeof value === "string" && Object.hasOwn(names, value) ? names[value]! : formatPlain(value);
}

const moment = { dateStyle: "long", timeStyle: "short", timeZone: "Australia/Sydney" } as const;

function formatTimeOf(value: unknown): string {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? formatPlain(value) : formatMoment(at, moment);
}

/** The fields that acts of several features have. */
export const sharedAuditFields = {
  email: { label: "Email" },
  name: { label: "Name" },
  from: { label: "From", format: formatAuditDay },
  to: { label: "To", format: formatAuditDay },
  day: { label: "Day", format: formatAuditDay },
  at: { label: "Time", format: formatTimeOf },
  format: {
    label: "Format",
    format: formatByName({ csv: "CSV", xlsx: "XLSX", xero: "Xero", quickbooks: "QuickBooks", myob: "MYOB" }),
  },
  roles: {
    label: "Roles",
    format: (value) =>
      Array.isArray(value) && value.length > 0
        ? formatList(
            value.map((role) => (isRole(String(role)) ? roles[role as keyof typeof roles].name : String(role))),
            "and",
          )
        : "None",
  },
  state: {
    label: "State",
    format: formatByName({
      invited: "Invited",
      active: "Active",
      ended: "Ended",
      created: "Confirming",
      requires_action: "Confirming",
      submitting: "Confirming",
      processing: "Confirming",
      unknown: "No answer",
      disputed: "Disputed",
    }),
  },
} as const satisfies AuditFields;

/** One field of an act; null where it was not recorded. */
export type ShownChange = { readonly label: string; readonly before: string | null; readonly after: string | null };

/**
 * Each field that was recorded, before or after, in the order of `fields`: the database keeps none. One without a label
 * shows its name, last.
 */
export function describeChanges({ before, after }: Changes, fields: AuditFields): ShownChange[] {
  const recorded = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const labelled = Object.keys(fields).filter((name) => recorded.has(name));
  const names = [...new Set([...labelled, ...recorded])];
  return names.map((name) => {
    const { label, format = formatPlain } = Object.hasOwn(fields, name) ? fields[name]! : { label: name };
    const textOf = (values: Changes["before"]) => {
      if (values === null || !Object.hasOwn(values, name)) return null;
      return isNothing(values[name]) ? "Nothing" : format(values[name]);
    };
    return { label, before: textOf(before), after: textOf(after) };
  });
}

const isNothing = (value: unknown) =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0) || isEmptyObject(value);

const isEmptyObject = (value: unknown) =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

function formatPlain(value: unknown): string {
  if (typeof value === "boolean") return formatYesNo(value);
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  return JSON.stringify(value);
}
