import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import { Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";
import { plural } from "#shared/language.ts";
import { isPassword } from "#shared/sessions/passwords.ts";
import { makeToken } from "#shared/sessions/tokens.ts";
import { staffDevices } from "./hand-over-session.ts";
import { sendLogInCode, spendLogInCode, tryLogInCode } from "./log-in-codes.ts";
import { countTriesLeft, countTry, creditTry, forgetTriesFor, isWarningDue, MAX_WRONG_TRIES } from "./log-in-limits.ts";
import { spendRecoveryCode } from "./recovery-codes.ts";
import { actorOf, type StaffServices } from "./services.ts";
import { findTotpStep } from "./totp.ts";
import { findActive, type ProvedStaff } from "./use-passkey.ts";
import { openTotpSecret } from "./ways-to-log-in.ts";

/** A log-in attempt: an email, a password, and the app's code or a recovery code. */
export type GivenPassword = {
  readonly email: string;
  readonly password: string;
  /** Set within the person's own session, whose browser is known. */
  readonly isConfirming?: true;
} & ({ readonly code: string } | { readonly recoveryCode: string });

/** `codeToken`: the browser keeps it until the emailed code is typed. It reveals nothing about what was right. */
type PasswordOutcome<Result> = { readonly result: Result } | { readonly codeToken: string };

type Then<Result> = (transaction: Connection, staff: ProvedStaff, way: string) => Promise<Result>;

/**
 * Checks a password with a code and runs `then` in the same transaction. The try is counted first, an unknown email takes
 * as long as a known one, and the answer never says which part was wrong. After five failed attempts for the email, a browser
 * that the person has not used before gets no answer but a `codeToken`, whatever was right: the code is only emailed if
 * all of it was. @throws Refusal if anything is wrong; AppError `too_many_tries`.
 */
export async function proveByPassword<Result>(
  services: StaffServices,
  given: GivenPassword,
  request: FastifyRequest,
  then: Then<Result>,
): Promise<PasswordOutcome<Result>> {
  const { config, database, now } = services;
  const at = now();
  const counted = await countTry(database, config.secretKey, { request, email: given.email }, at);
  const isKnown = given.isConfirming === true || staffDevices.find(config, request, given.email) !== null;
  const codeToken = counted.ofPerson > MAX_WRONG_TRIES && !isKnown ? makeToken() : null;
  const staff = await findByEmail(database, given.email);
  const isRight = await isPassword(given.password, staff?.passwordHash ?? undefined);
  const way = "recoveryCode" in given ? "recovery code" : "password and code";
  const outcome =
    staff === undefined || !isRight
      ? null
      : await database.transaction().execute(async (transaction) => {
          if (!(await spendSecond(services, transaction, staff, { given, at }))) return null;
          if (codeToken !== null) {
            await askForCode(services, transaction, staff, { way, token: codeToken, request, at });
            return { codeToken };
          }
          await creditTry(transaction, counted);
          return { result: await then(transaction, staff, way) };
        });
  if (outcome !== null) return outcome;
  if (counted.ofPerson >= MAX_WRONG_TRIES) await tellOfTries(services, given.email, staff, { request, at });
  if (codeToken !== null) return { codeToken };
  throw new Refusal(describeWrong(await countTriesLeft(database, counted, at)));
}

/**
 * Completes a log-in with the code that was emailed, and runs `then` in the same transaction. Tries count for browser
 * and address, too. @throws Refusal; AppError `too_many_tries`.
 */
export async function proveByEmailedCode<Result>(
  services: StaffServices,
  given: { readonly token: string; readonly code: string },
  request: FastifyRequest,
  then: Then<Result>,
): Promise<Result> {
  const { config, database, now } = services;
  const at = now();
  const counted = await countTry(database, config.secretKey, { request, email: null }, at);
  const right = await tryLogInCode(database, config.secretKey, given, at);
  if (right === null) throw new Refusal(wrongCode);
  const outcome = await database.transaction().execute(async (transaction) => {
    const staff = await findActive(transaction, right.staffId);
    if (staff === undefined || !(await spendLogInCode(transaction, right))) return null;
    await creditTry(transaction, counted);
    await forgetTriesFor(transaction, config.secretKey, staff.email);
    return { result: await then(transaction, staff, `${right.way}, emailed code`) };
  });
  if (outcome === null) throw new Refusal(wrongCode);
  return outcome.result;
}

const wrongCode =
  "This is not the code, or it no longer works. Check the latest email from us, or log in again to get another code.";

function describeWrong(left: number | null): string {
  if (left === null) {
    return "Something here is not right. Check each of them, and try again. After five failed attempts this browser waits for 15 minutes.";
  }
  return plural(left, {
    one: "Something here is not right. Check each of them, and try again. After one more failed attempt this browser waits for 15 minutes.",
    other:
      left === 0
        ? "Something here is not right. This browser now waits for 15 minutes. A passkey works in the meantime."
        : `Something here is not right. Check each of them, and try again. After ${left} more failed attempts this browser waits for 15 minutes.`,
  });
}

type Claimed = ProvedStaff & { readonly passwordHash: string | null; readonly totpSecret: Buffer | null };

function findByEmail(connection: Connection, email: string): Promise<Claimed | undefined> {
  return connection
    .selectFrom("staff")
    .select(["id", "name", "email", "password_hash as passwordHash", "totp_secret as totpSecret"])
    .where("state", "=", "active")
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst();
}

async function askForCode(
  services: StaffServices,
  transaction: Connection,
  staff: ProvedStaff,
  { way, token, request, at }: { way: string; token: string; request: FastifyRequest; at: Date },
): Promise<void> {
  await sendLogInCode(transaction, services, { staffId: staff.id, way, token }, at);
  const act = { verb: "staff.email-code", subject: "staff", subjectId: String(staff.id), after: { way } };
  await recordAct(transaction, actorOf(staff, request), act, at);
}

/**
 * Records five failed attempts and tells the person, at most once a day. An unknown email runs the same code, so that the
 * time of the answer does not reveal it.
 */
async function tellOfTries(
  { config, database, jobs }: StaffServices,
  email: string,
  staff: ProvedStaff | undefined,
  { request, at }: { request: FastifyRequest; at: Date },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (!(await isWarningDue(transaction, config.secretKey, email, at)) || staff === undefined) return;
    const act = { verb: "staff.wrong-tries", subject: "staff", subjectId: String(staff.id) };
    await recordAct(transaction, actorOf(staff, request), act, at);
    const job = { template: "staff-wrong-tries", staffId: staff.id, emailId: randomUUID() } as const;
    await jobs.send(transaction, "emails", job);
  });
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

/** In the meantime the account may have ended, or its password changed. */
async function isStillActive(transaction: Connection, id: number, passwordHash: string | null): Promise<boolean> {
  const query = transaction.selectFrom("staff").select("id").where("id", "=", id).where("state", "=", "active");
  return (await query.where("password_hash", "=", passwordHash).forUpdate().executeTakeFirst()) !== undefined;
}
