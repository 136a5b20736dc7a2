import { settingsAdmin } from "../admin/admin-parts.ts";
import { writeSettingsEmail } from "./emails.ts";
import { settingsHoldings } from "./retention.ts";
import "./tables.ts";

/** What staff set for the whole site. */
export const settings = {
  problems: {},
  calls: () => {},
  emails: { "organisation-changed": writeSettingsEmail },
  admin: settingsAdmin,
  holdings: () => settingsHoldings,
} as const;
