import { settingsAdmin } from "../admin/admin-parts.ts";
import { settingsEmails, writeSettingsEmail } from "./emails.ts";
import { settingsHoldings } from "./retention.ts";
import "./tables.ts";

/** What staff set for the whole site. */
export const settings = {
  problems: {},
  calls: () => {},
  emails: { "organisation-changed": writeSettingsEmail, "bank-accounts-asked": writeSettingsEmail },
  emailTexts: { "Staff and the back office": settingsEmails },
  admin: settingsAdmin,
  holdings: () => settingsHoldings,
} as const;
