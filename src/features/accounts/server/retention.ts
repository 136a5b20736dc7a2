import { sql } from "kysely";
import { forgetUsedChallenges } from "#shared/passkeys/challenges.ts";
import { columns, eraseBy, type Holdings } from "#shared/retention/retention.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";

const deleteOldCodes = eraseBy(
  ({ now, most }) => sql`
    delete from reset_codes where (user_id, code_hmac) in (
      select user_id, code_hmac from reset_codes where expires_at < ${now}
       order by expires_at limit ${most} for update skip locked)`,
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
  };
}
