import type { StaffSessions } from "#admin/staff-sessions.ts";
import { staffAdmin } from "../admin/admin-parts.ts";
import { type StaffEmailJob, staffEmails, writeStaffEmail } from "./emails.ts";
import { warnOfPasskeys } from "./passkey-warnings.ts";
import {
  type AdministratorEmail,
  administratorEmails,
  writeAdministratorEmail,
} from "./people/administrator-emails.ts";
import { type PersonEmail, personEmails, writePersonEmail } from "./people/people-emails.ts";
import { staffHoldings } from "./retention.ts";
import "./tables.ts";

/** What the staff feature adds to the server. */
export const staff = {
  problems: {},
  calls: () => {},
  emails: {
    "staff-invitation": writeStaffEmail,
    "staff-passkey-blocked": writeStaffEmail,
    "staff-recovery-code-used": writeStaffEmail,
    "staff-log-in-code": writeStaffEmail,
    "staff-wrong-tries": writeStaffEmail,
    "staff-roles-changed": writePersonEmail,
    "staff-account-ended": writePersonEmail,
    "staff-way-in-changed": writePersonEmail,
    "staff-administrator-added": writePersonEmail,
    "staff-reset": writePersonEmail,
    "staff-administrator-asked": writeAdministratorEmail,
    "staff-administrator-declined": writeAdministratorEmail,
  } satisfies Record<StaffEmailJob["template"] | PersonEmail | AdministratorEmail, unknown>,
  emailTexts: { "Staff and the back office": [...staffEmails, ...personEmails, ...administratorEmails] },
  admin: staffAdmin,
  warnAtStart: warnOfPasskeys,
  holdings: ({ staffSessions }: { staffSessions: StaffSessions }) => staffHoldings(staffSessions),
} as const;
