import { randomUUID } from "node:crypto";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { readSender } from "#shared/mail/compose-email.ts";
import { sentences } from "../person.ts";
import { forgetDevice } from "./devices.ts";
import { accountClosedEmail } from "./emails.ts";
import { checkOwnPassword } from "./own-account.ts";
import { type AccountServices, personOf, type Visit } from "./services.ts";
import { findIdByEmail, findUserById, type KeptUser } from "./store.ts";

/**
 * Closes the user's account (PRO-11, SEC-9). One transaction deletes the user, sessions and codes, and removes the
 * person from everything else as the retention rules say.
 *
 * The email about it is not a job, because nothing that outlives the account may hold the address. We hand it to the
 * mail server once, after closing; if that fails, it is lost. @throws AppError `not_signed_in`, also if another tab
 * has just closed it, or `invalid_input` for a wrong password.
 */
export async function closeAccount(
  services: AccountServices,
  { password }: { readonly password: string },
  { request, response }: Visit,
): Promise<Reply<Record<string, never>>> {
  const { config, database, mail, sessions } = services;
  const session = await sessions.require(request);
  const kept = await checkOwnPassword(services, session, password);
  if (kept === null) throw wrongPassword();
  const { email } = kept.user;
  await database.transaction().execute((transaction) => removeAccount(services, transaction, kept));
  await sessions.end(request, response);
  forgetDevice(config, { response });
  try {
    await mail.send(accountClosedEmail(await readSender(services), { email, emailId: randomUUID() }));
  } catch (error) {
    // The mail server's error message may repeat the address, so only the code is logged.
    const code = (error as { code?: unknown }).code;
    request.log.warn({ code }, "the email about a closed account could not be sent");
  }
  return accepted({}, "Your account is closed.");
}

async function removeAccount(
  { releasePerson, now }: AccountServices,
  transaction: Connection,
  { user, passwordHash }: KeptUser,
): Promise<void> {
  const locked = await lockAccount(transaction, user.email);
  if (locked === undefined) throw new AppError("not_signed_in");
  if (locked.passwordHash !== passwordHash) throw wrongPassword();
  await releasePerson(transaction, personOf(user), now());
  await deleteAccount(transaction, user.id);
}

/**
 * The account with this email, locked until the transaction ends, so that nothing is written for it while it is being
 * removed. Undefined if there is none.
 */
export async function lockAccount(transaction: Connection, email: string): Promise<KeptUser | undefined> {
  const id = await findIdByEmail(transaction, email);
  await transaction.selectFrom("users").select("id").where("id", "=", id).forUpdate().execute();
  return findUserById(transaction, id);
}

/** Deletes an account with its sessions, passkeys and codes. Call `release` of all holdings first. */
export async function deleteAccount(transaction: Connection, id: number): Promise<void> {
  await transaction.deleteFrom("users").where("id", "=", id).execute();
}

function wrongPassword(): AppError {
  return new AppError("invalid_input", { fields: { password: [sentences.wrongOldPassword] } });
}
