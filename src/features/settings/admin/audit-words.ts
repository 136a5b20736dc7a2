import type { AuditSubjects, AuditWords } from "#admin/acts.ts";
import type { AuditFields } from "#admin/audit-fields.ts";
import { feeNames, percentText } from "#payments/fees.ts";
import { deliveredBrand } from "#shared/brand/site-brand.ts";
import type { DeclaredEmail } from "#shared/mail/declared-email.ts";
import { brandAuditName, listBrandValues } from "../brand-fields.ts";
import { auditName } from "../organisation-changes.ts";
import { listValues, organisationGroups } from "../organisation-fields.ts";
import { BRAND_PATH } from "./brand/brand-part.ts";
import { auditName as emailAuditName, listTexts } from "./emails/email-words.ts";
import { FEES_PATH, feeLabels } from "./fees/fees-part.ts";

/** What the audit trail says: 'Amina Raza changed the organisation’s details, Bank accounts'. */
export const settingsAuditWords = {
  "organisation.change": "changed the organisation’s details,",
  "brand.draft": "saved a draft of",
  "brand.publish": "published",
  "brand.discard": "discarded the draft of",
  "brand.restore": "made a draft of an earlier version of",
  "fees.change": "changed",
  "email.change": "changed the texts of the email",
  "email.restore": "restored the delivered texts of the email",
} as const satisfies AuditWords;

const formatPercent = (value: unknown) => `${percentText(Number(value))} %`;

export const settingsAuditFields: AuditFields = {
  ...Object.fromEntries(organisationGroups.flatMap(listValues).map(({ name, label }) => [auditName(name), { label }])),
  ...Object.fromEntries(listBrandValues(deliveredBrand).map(({ name, label }) => [brandAuditName(name), { label }])),
  ...Object.fromEntries(feeNames.map((name) => [name, { label: feeLabels[name], format: formatPercent }])),
};

const titles = new Map(organisationGroups.map(({ name, title }) => [name, title]));

export const settingsAuditSubjects: AuditSubjects = {
  organisation: {
    ...{ label: "", group: "Organisation" },
    path: (group) => `/admin/settings/organisation/${group}`,
    listNames: async () => titles,
  },
  brand: {
    ...{ label: "", group: "Brand" },
    path: () => BRAND_PATH,
    listNames: async () => new Map([["brand", "the brand"]]),
  },
  fees: {
    ...{ label: "", group: "Fees" },
    path: () => FEES_PATH,
    listNames: async () => new Map([["fees", "the fees"]]),
  },
};

/** A label for each text of each email. */
export const emailAuditFields = (emails: readonly DeclaredEmail[]): AuditFields =>
  Object.fromEntries(
    emails.flatMap((email) => listTexts(email, {}).map(({ name, label }) => [emailAuditName(email, name), { label }])),
  );

export const emailAuditSubjects = (emails: readonly DeclaredEmail[]): AuditSubjects => ({
  email: {
    ...{ label: "", group: "Emails" },
    path: (name) => `/admin/settings/emails/${name}`,
    listNames: async () => new Map(emails.map(({ name, title }) => [name, `‘${title}’`])),
  },
});
