import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { countAct } from "#shared/limits/login-limits.ts";
import { wireField } from "../contract.ts";
import { sentences } from "../person.ts";
import { hashCode, isCode } from "./codes.ts";
import { hashPassword } from "./passwords.ts";
import { type AccountServices, limitsOf, type Visit } from "./services.ts";
import { changeUser, findIdByEmail } from "./store.ts";

const CODE_LIFE_MS = 15 * 60_000;
const MOST_TRIES = 5;
/** The expiry of a code that was used. Its row stays: a letter that is sent once more must not bring the code back. */
const USED = new Date(0);

/**
 * Sends a code to whoever has the address (LOG-10). Everything up to the answer is the same for an address that nobody
 * has, the job included; what differs happens later, where the letter is written.
 */
export async function sendResetCode(
  services: AccountServices,
  { email }: { readonly email: string },
  { request }: Pick<Visit, "request">,
): Promise<Reply<Record<string, never>>> {
  const { database, jobs, now } = services;
  const [limits, at] = [limitsOf(services), now()];
  await database.transaction().execute(async (transaction) => {
    const place = { act: "reset letter from one place", by: "address", value: request.ip } as const;
    await countAct(transaction, place, limits, at);
    await countAct(transaction, { act: "reset letter", by: "email", value: email }, limits, at);
    const userId = await findIdByEmail(transaction, email);
    await jobs.send(transaction, "letters", { letter: "reset-code", userId, letterId: randomUUID() });
  });
  return accepted({}, "If this address has an account, a code is on its way to it.");
}

type OpenCode = { readonly userId: number; readonly code: string };

/**
 * Opens a code for 15 minutes and 5 tries in place of an earlier one. The same code again, for a letter that could not be
 * sent at first, gets its 15 minutes anew but no more tries; false when it has been used or tried too often since.
 */
export async function openResetCode(
  connection: Connection,
  { userId, code }: OpenCode,
  { secretKey, now }: { readonly secretKey: string; readonly now: Date },
): Promise<boolean> {
  const row = {
    user_id: userId,
    code_hmac: hashCode(secretKey, userId, code),
    expires_at: new Date(now.getTime() + CODE_LIFE_MS),
    tries_left: MOST_TRIES,
  };
  const { numInsertedOrUpdatedRows } = await connection
    .insertInto("reset_codes")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .doUpdateSet({
          code_hmac: row.code_hmac,
          expires_at: row.expires_at,
          tries_left: sql<number>`case when reset_codes.code_hmac = ${row.code_hmac} then reset_codes.tries_left
            else ${MOST_TRIES} end`,
        })
        .where(
          sql<boolean>`reset_codes.code_hmac <> ${row.code_hmac} or
            (reset_codes.tries_left > 0 and reset_codes.expires_at > ${USED})`,
        ),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

type Reset = {
  readonly email: string;
  readonly code: string;
  readonly password: string;
  readonly confirmPassword: string;
};

/**
 * Sets a new password by a code (LOG-9). The try is spent, and that committed, before the code is looked at; the password
 * is hashed before both, so that every answer takes about the same.
 */
export async function resetPassword(
  services: AccountServices,
  { email, code, password, confirmPassword }: Reset,
  { request }: Pick<Visit, "request">,
): Promise<Reply<Record<string, never>>> {
  const { config, database, now } = services;
  if (password !== confirmPassword) {
    throw new AppError("invalid_input", { fields: { [wireField.resetConfirm]: [sentences.noMatch] } });
  }
  const at = now();
  await countAct(database, { act: "reset try", by: "address", value: request.ip }, limitsOf(services), at);
  const newHash = await hashPassword(password);
  const open = await spendTry(database, email, at);
  if (open === undefined || !isCode(config.secretKey, open.userId, code.replace(/\s/g, ""), open.codeHmac)) {
    return refused("code_failed");
  }
  const isDone = await database.transaction().execute((transaction) => useCode(services, transaction, open, newHash));
  return isDone ? accepted({}, sentences.resetDone) : refused("code_failed");
}

type SpentTry = { readonly userId: number; readonly codeHmac: Buffer };

/** One statement, so that of any number of tries at once five find a code to be held against. */
async function spendTry(connection: Connection, email: string, at: Date): Promise<SpentTry | undefined> {
  return connection
    .updateTable("reset_codes")
    .from("users")
    .set({ tries_left: sql<number>`tries_left - 1` })
    .whereRef("users.id", "=", "reset_codes.user_id")
    .where(sql<boolean>`lower(users.email) = lower(${email})`)
    .where("tries_left", ">", 0)
    .where("expires_at", ">", at)
    .returning(["user_id as userId", "code_hmac as codeHmac"])
    .executeTakeFirst();
}

/** False when somebody else has used it, or a newer one has replaced it, at this very moment. */
async function useCode(
  { jobs, sessions }: AccountServices,
  transaction: Connection,
  { userId, codeHmac }: SpentTry,
  newHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("reset_codes")
    .set({ expires_at: USED, tries_left: 0 })
    .where("user_id", "=", userId)
    .where("code_hmac", "=", codeHmac)
    .where("expires_at", ">", USED)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await changeUser(transaction, userId, { password_hash: newHash });
  await sessions.endAll(transaction, userId);
  await jobs.send(transaction, "letters", { letter: "password-changed", userId, letterId: randomUUID() });
  return true;
}
