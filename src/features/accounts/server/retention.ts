import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { columns, type Due, type Holdings } from "#shared/retention/retention.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";

async function deleteOldCodes(transaction: Connection, { now, most }: Due): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from reset_codes where (user_id, code_hmac) in (
      select user_id, code_hmac from reset_codes where expires_at < ${now}
       order by expires_at limit ${most} for update skip locked)`.execute(transaction);
  return Number(numAffectedRows ?? 0);
}

/** All of it is deleted with the account by the database, whose foreign keys say `on delete cascade`. */
export function accountHoldings(sessions: Sessions): Holdings {
  return {
    rules: [
      {
        name: "accounts",
        where: "Account",
        what: "Name, email, country, state, city, post code, mobile, how you like to be contacted; your password in a form that nobody can read",
        why: "To show your donations and receipts, fill in forms, and protect the account.",
        kept: "Until you close the account, which you can do on your profile.",
        afterwards: "It is deleted.",
        columns: [
          ...columns("users", "email", "password_hash", "first_name", "last_name", "country", "state", "mobile"),
          ...columns("users", "postcode", "preferred_contact", "city"),
        ],
      },
      {
        name: "sessions",
        where: "Log-in",
        what: "The browser and internet address of each log-in",
        why: "To keep you logged in, and to show you where you are.",
        kept: "Until you log out, 14 days after your last visit, or 90 days in all.",
        afterwards: "It is deleted.",
        columns: columns("sessions", "token_hash", "user_id", "address", "device"),
        erase: () => sessions.forgetOld(),
      },
      {
        name: "reset codes",
        where: "Forgotten password",
        what: "The code that we sent you, in a form that nobody can read",
        why: "So that you can set a new password.",
        kept: "15 minutes.",
        afterwards: "It is deleted.",
        columns: columns("reset_codes", "user_id", "code_hmac"),
        erase: deleteOldCodes,
      },
    ],
    notPersonal: [],
  };
}
