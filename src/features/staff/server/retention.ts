import { sql } from "kysely";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import { columns, eraseBy, type Holdings } from "#shared/retention/retention.ts";

const deleteOldInvitations = eraseBy(
  ({ now, most }) => sql`
    delete from staff_invitations where token_hash in (
      select token_hash from staff_invitations where expires_at < ${now}
       order by expires_at limit ${most} for update skip locked)`,
);

const deleteOldCodes = eraseBy(
  ({ now, most }) => sql`
    delete from staff_log_in_codes where id in (
      select id from staff_log_in_codes where expires_at < ${now}
       order by expires_at limit ${most} for update skip locked)`,
);

/** Staff are not members, so a member’s download has nothing about them. */
export function staffHoldings(staffSessions: StaffSessions): Holdings {
  const account = [
    ...columns("staff", "email", "name", "roles", "password_hash", "totp_secret"),
    ...columns("staff_passkeys", "credential_id", "public_key", "user_handle", "transports", "name"),
    ...columns("staff_recovery_codes", "code_hmac"),
  ];
  const sessions = [
    ...columns("staff_sessions", "token_hash", "ip_address", "device"),
    ...columns("staff_invitations", "token_hash"),
    ...columns("staff_log_in_codes", "token_hash", "code_hmac"),
  ];
  const acts = [
    ...columns("audit_trail", "actor", "ip_address", "before", "after", "reason", "subject_id"),
    ...columns("administrator_requests", "email", "name", "roles", "decision_reason"),
  ];
  return {
    rules: [
      {
        name: "staff",
        where: "Staff account",
        what: "Name, email and roles of the people who work for us; their passkeys, and a password in a form that nobody can read",
        why: "To let them in, and nobody else.",
        kept: "As long as they work for us. When that ends, passkeys, password and codes are deleted immediately.",
        afterwards: "The name stays with what they did.",
        columns: account,
      },
      {
        name: "staff sessions",
        where: "Staff log-in",
        what: "The browser and internet address of each log-in of staff; invitations and emailed codes, in a form that nobody can read",
        why: "To keep them logged in, and show them where.",
        kept: "Until they log out, half an hour after their last visit, or 12 hours in all. Invitations: 72 hours. Codes: ten minutes.",
        afterwards: "Then it is deleted.",
        columns: sessions,
        erase: async (transaction, due) =>
          (await staffSessions.forgetOld()) +
          (await deleteOldInvitations(transaction, due)) +
          (await deleteOldCodes(transaction, due)),
      },
      {
        name: "audit trail",
        where: "Audit trail",
        what: "What staff did to a donation or a person’s data, when, from which internet address, and why; who was to become an administrator, and what was decided",
        why: "To find mistakes and misuse, and to answer you if you ask who changed something.",
        kept: "As long as the books that it explains.",
        afterwards: "It cannot be changed or deleted by staff.",
        columns: acts,
      },
    ],
    notPersonal: [
      ...columns("staff", "state"),
      ...columns("staff_invitations", "kind"),
      ...columns("staff_log_in_codes", "way"),
      ...columns("administrator_requests", "decision"),
      ...columns("audit_trail", "verb", "subject"),
    ],
    notExported: [...account, ...sessions, ...acts],
  };
}
