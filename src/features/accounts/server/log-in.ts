import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { BegunSession } from "#shared/sessions/sessions.ts";
import type { User } from "../contract.ts";
import { findDevice, rememberDevice } from "./devices.ts";
import { type CountedTry, countLogin, succeeded, undone } from "./login-limits.ts";
import { hashPassword, isOutdated, isPassword } from "./passwords.ts";
import { type AccountServices, limitsOf, readWork, type Visit } from "./services.ts";
import { findUserByEmail, isStillPassword, type KeptUser, replacePassword } from "./store.ts";

type Credentials = { readonly email: string; readonly password: string; readonly captcha?: string | undefined };

/**
 * Logs in under a new token (LOG-5, LOG-17). A wrong password and an address that nobody has are answered alike and take
 * alike: the try is counted, the address looked up and one hash verified either way.
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
  if (kept === null) return refused("login_failed");
  // Before the transaction, which is not to wait for it; when too many others wait, the next log-in will do.
  const newHash = isOutdated(kept.passwordHash) ? await hashPassword(password).catch(() => null) : null;
  const begun = await database
    .transaction()
    .execute((transaction) => begin(services, transaction, { kept, newHash, counted, visit }));
  if (begun === null) return refused("login_failed");
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

/** Null when the password was changed while it was being verified: a session under the old one must not outlive that. */
async function begin(
  { sessions }: AccountServices,
  transaction: Connection,
  { kept, newHash, counted, visit }: Verified,
): Promise<BegunSession | null> {
  const isStill =
    newHash === null ? await isStillPassword(transaction, kept) : await replacePassword(transaction, kept, newHash);
  if (!isStill) return null;
  await succeeded(transaction, counted);
  return sessions.begin(transaction, kept.user.id, visit.request);
}

/** Ends the session, if there is one: whoever logs out twice is logged out (LOG-16). */
export async function logOut({ sessions }: AccountServices, { request, response }: Visit) {
  await sessions.end(request, response);
  return accepted({});
}
