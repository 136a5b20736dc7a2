import { sql } from "kysely";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import type { Connection } from "#shared/database/connect.ts";
import {
  columns,
  type ErasurePlan,
  eraseBy,
  type Holdings,
  type Person,
  type PersonSubject,
} from "#shared/retention/retention.ts";

const deleteOldInvitations = eraseBy(
  ({ now, limit }) => sql`
    delete from staff_invitations where token_hash in (
      select token_hash from staff_invitations where expires_at < ${now}
       order by expires_at limit ${limit} for update skip locked)`,
);

const deleteOldCodes = eraseBy(
  ({ now, limit }) => sql`
    delete from staff_log_in_codes where id in (
      select id from staff_log_in_codes where expires_at < ${now}
       order by expires_at limit ${limit} for update skip locked)`,
);

/** Staff are not members, so a member’s download has nothing about them. That by staff says if somebody is both. */
export function staffHoldings(staffSessions: StaffSessions): Holdings {
  const account = [
    ...columns("staff", "email", "name", "roles", "password_hash", "totp_secret"),
    ...columns("staff_passkeys", "credential_id", "public_key", "user_handle", "transports", "name", "host"),
    ...columns("staff_recovery_codes", "code_hmac"),
    ...columns("saved_filters", "path", "query", "name"),
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
        what: "Name, email and roles of the people who work for us; their passkeys, a password in a form that nobody can read, and filters that they saved",
        why: "To let them in, and nobody else.",
        kept: "As long as they work for us. When that ends, passkeys, password, codes and filters are deleted immediately.",
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
    exportedToStaff: [
      ...columns("staff", "email", "name", "roles"),
      ...columns("staff_sessions", "ip_address", "device"),
      // With the person's donations, orders and applications: `app` adds them in words.
      ...columns("audit_trail", "actor", "before", "after", "reason"),
    ],
    exportOf: exportStaffAccount,
    planErasure: (connection, person, { subjects }) => planErasure(connection, person, subjects, acts),
  };
}

const findStaff = (connection: Connection, { email }: Person) =>
  connection
    .selectFrom("staff")
    .select(["id", "email", "name", "roles", "state", "created_at as createdAt", "ended_at as endedAt"])
    .where(({ fn, ref }) => fn("lower", [ref("email")]), "=", email.toLowerCase())
    .executeTakeFirst();

async function exportStaffAccount(connection: Connection, person: Person): Promise<Record<string, unknown>> {
  const found = person.askedBy === "staff" ? await findStaff(connection, person) : undefined;
  if (found === undefined) return {};
  const { id, ...staffAccount } = found;
  const sessions = await connection
    .selectFrom("staff_sessions")
    .select(["ip_address as address", "device", "created_at as createdAt", "last_seen_at as lastSeenAt"])
    .where("staff_id", "=", id)
    .orderBy("created_at")
    .execute();
  return { staffAccount: { ...staffAccount, sessions } };
}

async function planErasure(
  connection: Connection,
  person: Person,
  subjects: readonly PersonSubject[],
  acts: readonly string[],
): Promise<ErasurePlan | null> {
  const isStaff = (await findStaff(connection, person)) !== undefined;
  const keeps = [
    ...(isStaff
      ? [
          {
            what: "Their staff account: they work here, or have worked here",
            until: "as Settings, Staff says",
            why: "Their name stays with what they did here.",
            columns: [
              ...columns("staff", "email", "name", "roles"),
              ...columns("staff_sessions", "ip_address", "device"),
              ...columns("administrator_requests", "email", "name", "roles"),
            ],
          },
        ]
      : []),
    ...(subjects.length > 0
      ? [
          {
            what: "What staff did with their donations, orders, applications and messages, and the notes on donations and orders",
            until: "as long as the books",
            why: "Nobody can change the audit trail. It has no names or whole addresses but those in notes.",
            columns: acts,
          },
        ]
      : []),
  ];
  return keeps.length === 0 ? null : { title: "Staff and the audit trail", erases: [], keeps, obstacles: [] };
}
