import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { AppError } from "#shared/errors.ts";
import { hashPassword } from "#shared/sessions/passwords.ts";
import { wireField } from "../contract.ts";
import { sentences } from "../person.ts";
import { accountProblems } from "../problems.ts";
import { hashCode, isCode } from "./codes.ts";
import { countAct, countClaim } from "./login-limits.ts";
import { type AccountServices, limitsOf, readWork, type Visit } from "./services.ts";
import { changeUser, findIdByEmail } from "./store.ts";

const CODE_LIFE_MS = 15 * 60_000;
/** How long an expired code is kept, so that retrying its email doesn't make it valid again. */
const KEPT_MS = DAY_MS;

/** Emails a code (LOG-10). Nothing differs for an unknown email until the email would be written. */
export async function sendResetCode(
  services: AccountServices,
  { email, captcha }: { readonly email: string; readonly captcha?: string | undefined },
  visit: Pick<Visit, "request">,
): Promise<Reply<Record<string, never>>> {
  const { database, jobs, now } = services;
  const [limits, at] = [limitsOf(services), now()];
  const pay = await readWork(services, { token: captcha, action: "reset" }, visit);
  await database.transaction().execute(async (transaction) => {
    const place = { act: "reset email from one place", by: "address", value: visit.request.ip } as const;
    await countAct(transaction, place, limits, at);
    await pay(transaction, await countClaim(transaction, { act: "reset email", email }, limits, at));
    const userId = await findIdByEmail(transaction, email);
    await jobs.send(transaction, "emails", { template: "reset-code", userId, emailId: randomUUID() });
  });
  return accepted({}, "If this address has an account, a code is on its way to it.");
}

type OpenCode = { readonly userId: number; readonly code: string };

/**
 * Opens a code for 15 minutes. Other open codes stay valid, so that a stranger who requests one can't invalidate the
 * user's. If its email is retried, the code gets another 15 minutes; false if it has been used.
 */
export async function openResetCode(
  connection: Connection,
  { userId, code }: OpenCode,
  { secretKey, now }: { readonly secretKey: string; readonly now: Date },
): Promise<boolean> {
  await connection
    .deleteFrom("reset_codes")
    .where("user_id", "=", userId)
    .where("expires_at", "<", new Date(now.getTime() - KEPT_MS))
    .execute();
  const expiresAt = new Date(now.getTime() + CODE_LIFE_MS);
  const { numInsertedOrUpdatedRows } = await connection
    .insertInto("reset_codes")
    .values({ user_id: userId, code_hmac: hashCode(secretKey, userId, code), expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "code_hmac"])
        .doUpdateSet({ expires_at: expiresAt })
        .where("reset_codes.is_used", "=", false),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

type Reset = {
  readonly email: string;
  readonly code: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly captcha?: string | undefined;
};

/**
 * Sets a new password with a code (LOG-9). The try is counted and committed before the code is checked: five are free,
 * then the captcha gets harder and harder. The password is hashed first, so that every answer takes about as long.
 */
export async function resetPassword(
  services: AccountServices,
  { email, code, password, confirmPassword, captcha }: Reset,
  visit: Visit,
): Promise<Reply<Record<string, never>>> {
  const { config, database, sessions, now } = services;
  if (password !== confirmPassword) {
    throw new AppError("invalid_input", { fields: { [wireField.resetConfirm]: [sentences.noMatch] } });
  }
  const at = now();
  const limits = limitsOf(services);
  await countAct(database, { act: "reset try", by: "address", value: visit.request.ip }, limits, at);
  const pay = await readWork(services, { token: captcha, action: "reset" }, visit);
  await database.transaction().execute(async (transaction) => {
    await pay(transaction, await countClaim(transaction, { act: "reset code", email }, limits, at));
  });
  const newHash = await hashPassword(password);
  const typed = code.replace(/\s/g, "");
  const open = (await listOpenCodes(database, email, at)).find(({ userId, codeHmac }) =>
    isCode(config.secretKey, userId, typed, codeHmac),
  );
  if (open === undefined) return refused(accountProblems.code_failed);
  const isDone = await database.transaction().execute((transaction) => useCode(services, transaction, open, newHash));
  if (!isDone) return refused(accountProblems.code_failed);
  // This browser's session has ended too, unless it belongs to another user.
  if ((await sessions.find(visit.request)) === null) await sessions.end(visit.request, visit.response);
  return accepted({}, sentences.resetDone);
}

type KeptCode = { readonly userId: number; readonly codeHmac: Buffer };

function listOpenCodes(connection: Connection, email: string, at: Date): Promise<KeptCode[]> {
  return connection
    .selectFrom("reset_codes")
    .innerJoin("users", "users.id", "reset_codes.user_id")
    .where(sql<boolean>`lower(users.email) = lower(${email})`)
    .where("expires_at", ">", at)
    .where("is_used", "=", false)
    .select(["user_id as userId", "code_hmac as codeHmac"])
    .execute();
}

/** Uses up all codes of the account. False if another request has just used this one. */
async function useCode(
  { jobs, sessions }: AccountServices,
  transaction: Connection,
  { userId, codeHmac }: KeptCode,
  newHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("reset_codes")
    .set({ is_used: true })
    .where("user_id", "=", userId)
    .where("code_hmac", "=", codeHmac)
    .where("is_used", "=", false)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await transaction.updateTable("reset_codes").set({ is_used: true }).where("user_id", "=", userId).execute();
  await changeUser(transaction, userId, { password_hash: newHash });
  await sessions.endAll(transaction, userId);
  await jobs.send(transaction, "emails", { template: "password-changed", userId, emailId: randomUUID() });
  return true;
}
