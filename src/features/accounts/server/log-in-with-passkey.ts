import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { Problem } from "#shared/errors.ts";
import { makeChallenge, spendChallenge } from "#shared/passkeys/challenges.ts";
import type { PasskeyOptions, UsedPasskey } from "#shared/passkeys/contract.ts";
import { challengeOf, doesCounterRise, makeRequestOptions, verifyUsedPasskey } from "#shared/passkeys/passkeys.ts";
import { browserFromNowOn, browserOf } from "#shared/sessions/browser.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import type { BegunSession } from "#shared/sessions/sessions.ts";
import type { User } from "../contract.ts";
import { accountProblems } from "../problems.ts";
import { rememberDevice } from "./devices.ts";
import { type CountedTry, countPasskeyTry, creditSuccess } from "./login-limits.ts";
import { findPasskey, lockPasskey } from "./passkey-store.ts";
import { type AccountServices, limitsOf, type Visit } from "./services.ts";
import { findUserById } from "./store.ts";

/** Options for logging in with a passkey. They are the same for everyone and don't reveal who has an account. */
export async function beginPasskeyLogin(
  { config, now }: AccountServices,
  { request }: Pick<Visit, "request">,
): Promise<Reply<PasskeyOptions>> {
  const challenge = makeChallenge(challengeFor(config, browserFromNowOn(request)), now());
  return accepted(await makeRequestOptions(config, challenge));
}

/** Logs in with a passkey (LOG-24), in all other ways like a log-in with a password. */
export async function logInWithPasskey(
  services: AccountServices,
  used: UsedPasskey,
  visit: Visit,
): Promise<Reply<User>> {
  const { config, database, sessions, now } = services;
  const { request, response } = visit;
  const [at, browser, challenge] = [now(), browserOf(request), challengeOf(used)];
  const counted = await countPasskeyTry(database, { address: request.ip, browser }, limitsOf(services), at);
  const isOpen = await spendChallenge(database, challenge, challengeFor(config, browser), at);
  if (!isOpen) return refused(accountProblems.passkey_expired);
  const kept = await findPasskey(database, used.id);
  if (kept === undefined) return refused(accountProblems.passkey_unknown);
  const verified = await verifyUsedPasskey(config, used, kept, challenge);
  if (verified === null) return refused(accountProblems.passkey_failed);
  const use = { id: kept.id, userId: kept.userId, counter: verified.counter, at, counted, request };
  const begun = await database.transaction().execute((transaction) => begin(services, transaction, use));
  if ("problem" in begun) return refused(begun.problem);
  sessions.handOver(response, begun.session);
  rememberDevice(config, visit, begun.user.email);
  return accepted(begun.user);
}

type Use = {
  readonly id: string;
  readonly userId: number;
  readonly counter: number;
  readonly at: Date;
  readonly counted: CountedTry;
  readonly request: FastifyRequest;
};

/**
 * Begins the session once the signature is verified, or returns why not. A passkey whose counter doesn't rise is
 * permanently blocked, because nobody can tell which of its two copies is the owner's.
 */
async function begin(
  { jobs, sessions }: AccountServices,
  transaction: Connection,
  { id, userId, counter, at, counted, request }: Use,
): Promise<{ session: BegunSession; user: SessionUser } | { problem: Problem }> {
  const kept = await lockPasskey(transaction, id);
  if (kept === undefined) return { problem: accountProblems.passkey_unknown };
  if (kept.blockedAt !== null) return { problem: accountProblems.passkey_blocked };
  const change = transaction.updateTable("passkeys").where("id", "=", id);
  if (!doesCounterRise(kept.counter, counter)) {
    await change.set({ blocked_at: at }).execute();
    await jobs.send(transaction, "emails", { template: "passkey-blocked", userId, emailId: randomUUID() });
    return { problem: accountProblems.passkey_blocked };
  }
  await change.set({ counter, last_used_at: at }).execute();
  await creditSuccess(transaction, counted);
  const session = await sessions.begin(transaction, userId, request);
  // The new session keeps the account from being closed before this transaction ends.
  return { session, user: (await findUserById(transaction, userId))!.user };
}

const challengeFor = ({ secretKey }: AccountServices["config"], browser: string | undefined) =>
  ({ secretKey, purpose: "log in", holder: browser ?? "" }) as const;
