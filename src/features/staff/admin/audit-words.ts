import type { AuditWords } from "#admin/acts.ts";
import { type AuditFields, formatByName, formatYesNo } from "#admin/audit-fields.ts";

/** The labels of fields that only acts on staff, and exports of the audit trail, have. */
export const staffAuditFields = {
  requestedBy: { label: "Asked for by" },
  passkey: { label: "Passkey" },
  hadPassword: { label: "Had a password", format: formatYesNo },
  way: {
    label: "Way in",
    format: formatByName({
      passkey: "Passkey",
      "password and code": "Password and code",
      "password and code, emailed code": "Password, code and emailed code",
      "recovery code": "Password and recovery code",
      "recovery code, emailed code": "Password, recovery code and emailed code",
      "demo link": "Link of the demo",
    }),
  },
  by: {
    label: "Came by",
    format: formatByName({ invitation: "An invitation", reset: "An invitation after a reset" }),
  },
  q: { label: "Search text" },
  who: { label: "Person by number", format: formatByName({ commands: "Commands on the server" }) },
  what: { label: "Kind of act" },
} as const satisfies AuditFields;

/** The audit trail's words for changes of who works here. */
export const staffPeopleWords = {
  "staff.invite": "invited",
  "staff.invite-again": "sent a new invitation to",
  "staff.change-roles": "changed the roles of",
  "staff.reset": "reset the log-in of",
  "staff.end": "ended the account of",
  "staff.demo-link": "made a demo link for",
  "export.audit": "exported the audit trail.",
} as const satisfies AuditWords;

/** The audit trail's words for requests for a new administrator. */
export const administratorWords = {
  "administrator.request": "asked for the role of administrator for",
  "administrator.approve": "approved the role of administrator for",
  "administrator.decline": "declined the role of administrator for",
  "administrator.withdraw": "withdrew the request for the role of administrator for",
  "administrator.overtake": "ended, by another change, the request for the role of administrator for",
} as const satisfies AuditWords;

/** What people do to their own account, as whole sentences. */
export const staffLogInWords = {
  "staff.log-in": "logged in.",
  "staff.log-out": "logged out.",
  "staff.wrong-tries": "was named in five failed attempts to log in.",
  "staff.email-code": "logged in from a new browser after failed attempts, and was emailed a code.",
  "staff.set-up": "accepted the invitation.",
  "staff.rename": "changed their own name.",
  "staff-passkey.add": "added a passkey.",
  "staff-passkey.rename": "renamed a passkey.",
  "staff-passkey.remove": "removed a passkey.",
  "staff-passkey.block": "used a passkey that may be a copy, so it is blocked.",
  "staff-password.set": "set a password and an authenticator app.",
  "staff-password.remove": "removed their password, authenticator app and recovery codes.",
  "staff-codes.renew": "made new recovery codes.",
  "staff-session.end": "ended one of their sessions.",
} as const satisfies AuditWords;
