import type { AuditSubjects, AuditWords } from "#admin/acts.ts";
import type { AuditFields } from "#admin/audit-fields.ts";
import { auditName } from "../organisation-changes.ts";
import { listValues, organisationGroups } from "../organisation-fields.ts";

/** What the audit trail says: 'Amina Raza changed the organisation’s details, Bank accounts'. */
export const settingsAuditWords = {
  "organisation.change": "changed the organisation’s details,",
} as const satisfies AuditWords;

export const settingsAuditFields: AuditFields = Object.fromEntries(
  organisationGroups.flatMap(listValues).map(({ name, label }) => [auditName(name), { label }]),
);

const titles = new Map(organisationGroups.map(({ name, title }) => [name, title]));

export const settingsAuditSubjects: AuditSubjects = {
  organisation: {
    ...{ label: "", group: "Organisation" },
    path: (group) => `/admin/settings/organisation/${group}`,
    listNames: async () => titles,
  },
};
