import type { AuditSubjects, AuditWords } from "#admin/acts.ts";
import type { AuditFields } from "#admin/audit-fields.ts";
import { SET_UP_PATH } from "#admin/set-up.ts";
import { feeNames, percentText } from "#payments/fees.ts";
import { deliveredBrand } from "#shared/brand/site-brand.ts";
import type { DeclaredEmail } from "#shared/mail/declared-email.ts";
import { brandAuditName, listBrandValues } from "../brand-fields.ts";
import { auditName } from "../organisation-changes.ts";
import { listValues, organisationGroups } from "../organisation-fields.ts";
import { setUpSteps, stepNames } from "../set-up-steps.ts";
import { BRAND_PATH } from "./brand/brand-part.ts";
import { auditName as emailAuditName, listTexts } from "./emails/email-words.ts";
import { FEES_PATH, feeLabels } from "./fees/fees-part.ts";
import { LEGAL_TEXTS_PATH } from "./legal-texts/legal-texts-part.ts";
import { PAYMENT_SETTINGS_PATH, providerTopics } from "./payments/payments-part.ts";

/** What the audit trail says: 'Amina Raza changed the organisation’s details, Bank accounts'. */
export const settingsAuditWords = {
  "organisation.change": "changed the organisation’s details,",
  "bank-accounts.request": "asked to change",
  "bank-accounts.approve": "approved the change of",
  "bank-accounts.decline": "declined the change of",
  "bank-accounts.withdraw": "withdrew the request to change",
  "brand.draft": "saved a draft of",
  "brand.publish": "published",
  "brand.discard": "discarded the draft of",
  "brand.restore": "made a draft of an earlier version of",
  "fees.change": "changed",
  "set-up.done": "finished a step of setting up the site:",
  "set-up.skipped": "skipped a step of setting up the site:",
  "set-up.open": "took up again a step of setting up the site:",
  "set-up.open-site": "opened the site to visitors.",
  "legal-text.read": "has read, and found true,",
  "mail.test": "sent a test email to themselves.",
  "payments.test": "tested the keys of",
  "email.change": "changed the texts of the email",
  "email.restore": "restored the delivered texts of the email",
} as const satisfies AuditWords;

const formatPercent = (value: unknown) => `${percentText(Number(value))} %`;

export const settingsAuditFields: AuditFields = {
  accepted: { label: "Keys accepted", format: (value) => (value === true ? "Yes" : "No") },
  ...Object.fromEntries(organisationGroups.flatMap(listValues).map(({ name, label }) => [auditName(name), { label }])),
  ...Object.fromEntries(listBrandValues(deliveredBrand).map(({ name, label }) => [brandAuditName(name), { label }])),
  ...Object.fromEntries(feeNames.map((name) => [name, { label: feeLabels[name], format: formatPercent }])),
};

const legalTitles = new Map([
  ["privacy", "the privacy policy"],
  ["refunds", "the refund policy"],
  ["terms", "the terms of use"],
  ["accessibility", "the accessibility statement"],
]);

const titles = new Map(organisationGroups.map(({ name, title }) => [name, title]));

export const settingsAuditSubjects: AuditSubjects = {
  organisation: {
    label: "",
    group: "Organisation",
    path: (group) => `/admin/settings/organisation/${group}`,
    listNames: async () => titles,
  },
  brand: {
    label: "",
    group: "Brand",
    path: () => BRAND_PATH,
    listNames: async () => new Map([["brand", "the brand"]]),
  },
  "set-up": {
    label: "",
    group: "Setting up",
    path: () => SET_UP_PATH,
    listNames: async () => new Map(stepNames.map((name) => [name, setUpSteps[name].title])),
  },
  "legal-text": {
    label: "",
    group: "Legal texts",
    path: () => LEGAL_TEXTS_PATH,
    listNames: async () => legalTitles,
  },
  payments: {
    label: "",
    group: "Payment provider",
    path: () => PAYMENT_SETTINGS_PATH,
    listNames: async () => new Map(Object.entries(providerTopics).map(([provider, { name }]) => [provider, name])),
  },
  mail: { label: "", group: "Mail" },
  fees: {
    label: "",
    group: "Fees",
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
    label: "",
    group: "Emails",
    path: (name) => `/admin/settings/emails/${name}`,
    listNames: async () => new Map(emails.map(({ name, title }) => [name, `‘${title}’`])),
  },
});
