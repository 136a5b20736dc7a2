import { type AuditFields, formatByName } from "#admin/audit-fields.ts";
import { formatList, formatMoment, formatNumber } from "#shared/language.ts";
import { stageStatus } from "./stage-status.ts";

const stageNames = Object.fromEntries(Object.entries(stageStatus).map(([stage, { label }]) => [stage, label]));

function formatTimeOf(value: unknown): string {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  const style = { dateStyle: "long", timeStyle: "short", timeZone: "Australia/Sydney" } as const;
  return Number.isNaN(at) ? String(value) : formatMoment(at, style);
}

/** The labels of fields that only acts on applications and shifts have. */
export const volunteeringAuditFields = {
  stage: { label: "Stage", format: formatByName(stageNames) },
  volunteerRoles: {
    label: "Roles",
    format: (value) => (Array.isArray(value) ? formatList(value.map(String), "and") : String(value)),
  },
  seen: { label: "What was seen" },
  shiftTitle: { label: "Shift" },
  startsAt: { label: "Begins", format: formatTimeOf },
  endsAt: { label: "Ends", format: formatTimeOf },
  shiftRole: { label: "Role" },
  people: { label: "People whose hours were recorded", format: (value) => formatNumber(Number(value)) },
} as const satisfies AuditFields;
