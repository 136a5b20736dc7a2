import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import { Refusal } from "#admin/actions.ts";
import type { Connection } from "#shared/database/connect.ts";
import { isPassword } from "#shared/sessions/passwords.ts";
import { countTry, creditTry } from "./log-in-limits.ts";
import { spendRecoveryCode } from "./recovery-codes.ts";
import type { StaffServices } from "./services.ts";
import { findTotpStep } from "./totp.ts";
import type { ProvedStaff } from "./use-passkey.ts";
import { openTotpSecret } from "./ways-in.ts";

/** Who claims to be whom, and with what: a password, and the app's code or a recovery code. */
export type GivenPassword = {
  readonly who: { readonly email: string } | { readonly staffId: number };
  readonly password: string;
} & ({ readonly code: string } | { readonly recoveryCode: string });

const wrong =
  "Something here is not right. Check each of them, and try again. After five wrong tries this browser waits for 15 minutes.";

/**
 * Checks a password with a code and runs `then` in the same transaction. The try is counted first, an unknown email takes
 * as long as a known one, and the answer never says which part was wrong.
 * @throws Refusal if anything is wrong; AppError `too_many_tries`.
 */
export async function proveByPassword<Result>(
  services: StaffServices,
  given: GivenPassword,
  request: FastifyRequest,
  then: (transaction: Connection, staff: ProvedStaff) => Promise<Result>,
): Promise<Result> {
  const { config, database, now } = services;
  const at = now();
  const counted = await countTry(database, config.secretKey, request, at);
  const staff = await findByClaim(database, given.who);
  const isRight = await isPassword(given.password, staff?.passwordHash ?? undefined);
  if (staff === undefined || !isRight) throw new Refusal(wrong);
  const outcome = await database.transaction().execute(async (transaction) => {
    if (!(await spendSecond(services, transaction, staff, { given, at }))) return null;
    await creditTry(transaction, counted);
    return { result: await then(transaction, staff) };
  });
  if (outcome === null) throw new Refusal(wrong);
  return outcome.result;
}

type Claimed = ProvedStaff & { readonly passwordHash: string | null; readonly totpSecret: Buffer | null };

function findByClaim(connection: Connection, who: GivenPassword["who"]): Promise<Claimed | undefined> {
  return connection
    .selectFrom("staff")
    .select(["id", "name", "password_hash as passwordHash", "totp_secret as totpSecret"])
    .where("state", "=", "active")
    .$if("email" in who, (query) => query.where(sql<boolean>`lower(email) = lower(${"email" in who ? who.email : ""})`))
    .$if("staffId" in who, (query) => query.where("id", "=", "staffId" in who ? who.staffId : 0))
    .executeTakeFirst();
}

/** Uses up the code that goes with the password. False if it is wrong, or was used. */
async function spendSecond(
  { config: { secretKey }, jobs }: StaffServices,
  transaction: Connection,
  { id, passwordHash, totpSecret }: Claimed,
  { given, at }: { given: GivenPassword; at: Date },
): Promise<boolean> {
  if ("recoveryCode" in given) {
    if (!(await isStillActive(transaction, id, passwordHash))) return false;
    const spent = { staffId: id, code: given.recoveryCode };
    if (!(await spendRecoveryCode(transaction, secretKey, spent, at))) return false;
    const job = { template: "staff-recovery-code-used", staffId: id, emailId: randomUUID() } as const;
    await jobs.send(transaction, "emails", job);
    return true;
  }
  const secret = totpSecret === null ? null : openTotpSecret(secretKey, id, totpSecret);
  const step = secret === null ? null : await findTotpStep(secret, given.code, at);
  if (step === null) return false;
  const { numUpdatedRows } = await transaction
    .updateTable("staff")
    .set({ totp_step: step })
    .where("id", "=", id)
    .where("state", "=", "active")
    .where("password_hash", "=", passwordHash)
    .where((where) => where.or([where("totp_step", "is", null), where("totp_step", "<", step)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Meanwhile the account may have ended, or its password changed. */
async function isStillActive(transaction: Connection, id: number, passwordHash: string | null): Promise<boolean> {
  const query = transaction.selectFrom("staff").select("id").where("id", "=", id).where("state", "=", "active");
  return (await query.where("password_hash", "=", passwordHash).forUpdate().executeTakeFirst()) !== undefined;
}
