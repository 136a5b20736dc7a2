import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { emailedCode, hashEmailedCode, isEmailedCode } from "#shared/sessions/emailed-codes.ts";
import { hashToken } from "#shared/sessions/tokens.ts";

export const LOG_IN_CODE_MS = 10 * 60_000;
/** After this many wrong codes a new one is needed. */
const MAX_TRIES = 5;

const codeFor = (staffId: number) => ({ purpose: "staff log-in code", id: staffId });

/** Emails a code for a log-in whose password and code were right. `token` is the browser's. */
export async function sendLogInCode(
  transaction: Connection,
  { jobs, config }: CoreServices<"jobs", "secretKey">,
  { staffId, way, token }: { readonly staffId: number; readonly way: string; readonly token: string },
  at: Date,
): Promise<void> {
  const id = randomUUID();
  await transaction
    .insertInto("staff_log_in_codes")
    .values({
      id,
      token_hash: hashToken(token),
      staff_id: staffId,
      way,
      created_at: at,
      code_hmac: hashEmailedCode(
        config.secretKey,
        codeFor(staffId),
        emailedCode(config.secretKey, codeFor(staffId), id),
      ),
      expires_at: new Date(at.getTime() + LOG_IN_CODE_MS),
    })
    .execute();
  await jobs.send(transaction, "emails", { template: "staff-log-in-code", staffId, emailId: id });
}

/** The code to email; null once it was used or has expired. */
export async function findLogInCode(
  connection: Connection,
  secretKey: string,
  { staffId, emailId }: { readonly staffId: number; readonly emailId: string },
  now: Date,
): Promise<string | null> {
  const row = await connection
    .selectFrom("staff_log_in_codes")
    .select("id")
    .where("id", "=", emailId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row === undefined ? null : emailedCode(secretKey, codeFor(staffId), emailId);
}

type RightCode = { readonly id: string; readonly staffId: number; readonly way: string };

/**
 * Counts a try. Returns whose log-in it is if the code is right; null if it is wrong or too late, or after too many
 * tries.
 */
export async function tryLogInCode(
  database: Database,
  secretKey: string,
  { token, code }: { readonly token: string; readonly code: string },
  now: Date,
): Promise<RightCode | null> {
  const row = await database
    .updateTable("staff_log_in_codes")
    .set({ tries: sql`tries + 1` })
    .where("token_hash", "=", hashToken(token))
    .where("expires_at", ">", now)
    .where("tries", "<", MAX_TRIES)
    .returning(["id", "staff_id as staffId", "way", "code_hmac as kept"])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { kept, ...found } = row;
  const typed = code.replace(/\D/g, "");
  return isEmailedCode(secretKey, codeFor(found.staffId), typed, kept) ? found : null;
}

/** Uses up a code. If several requests use it at the same time, one succeeds. */
export async function spendLogInCode(transaction: Connection, { id }: RightCode): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom("staff_log_in_codes")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Ends all log-ins of a person that wait for a code: their password was changed or removed. */
export async function forgetLogInCodes(transaction: Connection, staffId: number): Promise<void> {
  await transaction.deleteFrom("staff_log_in_codes").where("staff_id", "=", staffId).execute();
}
