import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { hashPassword, isOutdated, isPassword } from "#shared/sessions/passwords.ts";
import type { BegunSession } from "#shared/sessions/sessions.ts";
import type { User } from "../contract.ts";
import { accountProblems } from "../problems.ts";
import { findDevice, rememberDevice } from "./devices.ts";
import { type CountedTry, countLogin, creditSuccess, undone } from "./login-limits.ts";
import { type AccountServices, limitsOf, readWork, type Visit } from "./services.ts";
import { findUserByEmail, isStillPassword, type KeptUser, replacePassword } from "./store.ts";

type Credentials = { readonly email: string; readonly password: string; readonly captcha?: string | undefined };

/**
 * Logs in with a new session token (LOG-5, LOG-17). A wrong password and an unknown email get the same answer in the
 * same time: either way the try is counted, the email looked up and one hash verified.
 */
export async function logIn(
  services: AccountServices,
  { email, password, captcha }: Credentials,
  visit: Visit,
): Promise<Reply<User>> {
  const { config, database, sessions, now } = services;
  const guest = { address: visit.request.ip, email, device: findDevice(config, visit, email) };
  const pay = await readWork(services, { token: captcha, action: "login" }, visit);
  const counted = await countLogin(database, guest, limitsOf(services), { now: now(), pay });
  const kept = await findVerified(services, { email, password }, counted);
  if (kept === null) return refused(accountProblems.login_failed);
  // Outside the transaction, because hashing is slow. If the server is too busy, the next log-in does it.
  const newHash = isOutdated(kept.passwordHash) ? await hashPassword(password).catch(() => null) : null;
  const begun = await database
    .transaction()
    .execute((transaction) => begin(services, transaction, { kept, newHash, counted, visit }));
  if (begun === null) return refused(accountProblems.login_failed);
  sessions.handOver(visit.response, begun);
  rememberDevice(config, visit, kept.user.email);
  return accepted(kept.user);
}

async function findVerified(
  { database }: AccountServices,
  { email, password }: Credentials,
  counted: CountedTry,
): Promise<KeptUser | null> {
  try {
    const kept = await findUserByEmail(database, email);
    const isRight = await isPassword(password, kept?.passwordHash);
    return kept !== undefined && isRight ? kept : null;
  } catch (error) {
    await undone(database, counted);
    throw error;
  }
}

type Verified = {
  readonly kept: KeptUser;
  readonly newHash: string | null;
  readonly counted: CountedTry;
  readonly visit: Visit;
};

/** Null if the password was changed while it was being verified: the old one must not begin a session. */
async function begin(
  { sessions }: AccountServices,
  transaction: Connection,
  { kept, newHash, counted, visit }: Verified,
): Promise<BegunSession | null> {
  const isStill =
    newHash === null ? await isStillPassword(transaction, kept) : await replacePassword(transaction, kept, newHash);
  if (!isStill) return null;
  await creditSuccess(transaction, counted);
  return sessions.begin(transaction, kept.user.id, visit.request);
}

/** Ends the session, if there is one; logging out twice is no error (LOG-16). */
export async function logOut({ sessions }: AccountServices, { request, response }: Visit) {
  await sessions.end(request, response);
  return accepted({});
}
