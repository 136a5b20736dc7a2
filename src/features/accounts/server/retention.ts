import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { plural } from "#shared/language.ts";
import { forgetUsedChallenges } from "#shared/passkeys/challenges.ts";
import { columns, type ErasurePlan, eraseBy, type Holdings, type Person } from "#shared/retention/retention.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import { listPasskeysOf } from "./passkey-store.ts";
import { findUserById } from "./store.ts";

const deleteOldCodes = eraseBy(
  ({ now, limit }) => sql`
    delete from reset_codes where (user_id, code_hmac) in (
      select user_id, code_hmac from reset_codes where expires_at < ${now}
       order by expires_at limit ${limit} for update skip locked)`,
);

/** The database deletes all of it with the account: the foreign keys say `on delete cascade`. */
export function accountHoldings(sessions: Sessions): Holdings {
  return {
    rules: [
      {
        name: "accounts",
        where: "Account",
        what: "Name, email, country, state, city, post code, mobile, how you prefer to be contacted; your password in a form that nobody can read; the passkeys that you added, each with its name and when it was last used",
        why: "To show your donations and receipts, fill in forms, and protect the account.",
        kept: "Until you close the account, which you can do on your profile.",
        afterwards: "Then it is deleted.",
        columns: [
          ...columns("users", "email", "password_hash", "first_name", "last_name", "country", "state", "mobile"),
          ...columns("users", "postcode", "preferred_contact", "city"),
          ...columns("passkeys", "user_id", "credential_id", "public_key", "user_handle", "transports", "name"),
        ],
      },
      {
        name: "sessions",
        where: "Log-in",
        what: "The browser and internet address of each log-in; a code for a new password, in a form that nobody can read",
        why: "To keep you logged in, show you where you are, and let you set a new password.",
        kept: "Until you log out, 14 days after your last visit, or 90 days in all. The code: 15 minutes.",
        afterwards: "Then it is deleted.",
        columns: [
          ...columns("sessions", "token_hash", "user_id", "ip_address", "device"),
          ...columns("reset_codes", "user_id", "code_hmac"),
        ],
        erase: async (transaction, due) =>
          (await sessions.forgetOld()) +
          (await deleteOldCodes(transaction, due)) +
          (await forgetUsedChallenges(transaction, due.now)),
      },
    ],
    // Random, and signed.
    notPersonal: columns("used_passkey_challenges", "challenge"),
    // The account's own number, and what a thief of the download could attack the account with.
    notExported: [
      ...columns("users", "password_hash"),
      ...columns("passkeys", "user_id", "credential_id", "public_key", "user_handle", "transports"),
      ...columns("sessions", "token_hash", "user_id"),
      ...columns("reset_codes", "user_id", "code_hmac"),
    ],
    exportOf: (connection, person) => exportAccount(connection, sessions, person),
    planErasure: (connection, person) => planErasure(connection, sessions, person),
  };
}

/** The account, except what only authenticates its owner. */
async function exportAccount(
  connection: Connection,
  sessions: Sessions,
  { userId }: Person,
): Promise<Record<string, unknown>> {
  const kept = userId === null ? undefined : await findUserById(connection, userId);
  if (kept === undefined) return {};
  const { user } = kept;
  const passkeys = (await listPasskeysOf(connection, user.id)).map(({ name, createdAt, lastUsedAt }) => ({
    name,
    createdAt,
    lastUsedAt,
  }));
  return { user, sessions: await sessions.list(user.id, connection), passkeys };
}

/** What `deleteAccount` deletes. */
async function planErasure(
  connection: Connection,
  sessions: Sessions,
  { userId }: Person,
): Promise<ErasurePlan | null> {
  if (userId === null) return null;
  const listed = await sessions.list(userId, connection);
  const passkeys = await listPasskeysOf(connection, userId);
  const erases = [
    "Their account with name, address, mobile number and password",
    ...(passkeys.length === 0
      ? []
      : [plural(passkeys.length, { one: "Their passkey", other: `Their ${passkeys.length} passkeys` })]),
    ...(listed.length === 0
      ? []
      : [
          plural(listed.length, {
            one: "Their log-in: they are logged out",
            other: `Their ${listed.length} log-ins: they are logged out everywhere`,
          }),
        ]),
  ];
  return { title: "Account", erases, keeps: [], obstacles: [] };
}
