import type { AdminPart } from "#admin/feature.ts";
import type { SettingsServices } from "../server/settings-services.ts";
import {
  emailAuditFields,
  emailAuditSubjects,
  settingsAuditFields,
  settingsAuditSubjects,
  settingsAuditWords,
} from "./audit-words.ts";
import { brandPart } from "./brand/brand-part.ts";
import { emailsPart } from "./emails/emails-part.ts";
import { feesPart } from "./fees/fees-part.ts";
import { goingLivePart } from "./going-live/going-live-part.ts";
import { legalTextsPart } from "./legal-texts/legal-texts-part.ts";
import { mailPart } from "./mail/mail-part.ts";
import { bankAccountsPart } from "./organisation/bank-accounts-part.ts";
import { organisationPart } from "./organisation/organisation-part.ts";
import { paymentsPart } from "./payments/payments-part.ts";
import { serverPart } from "./server-settings/server-part.ts";
import { setUpPart } from "./set-up/set-up-part.ts";

/** What settings add to the back office. */
export function settingsAdmin(services: SettingsServices): readonly AdminPart[] {
  const emails = [...services.settingPreviews.emailGroups.values()].flat();
  return [
    organisationPart(services),
    bankAccountsPart(services),
    brandPart(services),
    feesPart(services),
    goingLivePart(services),
    legalTextsPart(services),
    paymentsPart(services),
    mailPart(services),
    serverPart(services),
    setUpPart(services),
    emailsPart(services),
    {
      auditWords: settingsAuditWords,
      auditFields: { ...settingsAuditFields, ...emailAuditFields(emails) },
      auditSubjects: { ...settingsAuditSubjects, ...emailAuditSubjects(emails) },
    },
  ];
}
