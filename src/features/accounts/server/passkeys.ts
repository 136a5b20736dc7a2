import { randomUUID } from "node:crypto";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import { AppError } from "#shared/errors.ts";
import { refuseAccess } from "#shared/http/security-log.ts";
import { nameAuthenticator } from "#shared/passkeys/authenticators.ts";
import { makeChallenge, spendChallenge } from "#shared/passkeys/challenges.ts";
import type { NewPasskey, PasskeyOptions } from "#shared/passkeys/contract.ts";
import { challengeOf, makeCreationOptions, userHandleOf, verifyNewPasskey } from "#shared/passkeys/passkeys.ts";
import { describeDevice } from "#shared/sessions/device.ts";
import type { Session } from "#shared/sessions/sessions.ts";
import type { Passkey } from "../contract.ts";
import { sentences } from "../person.ts";
import { accountProblems } from "../problems.ts";
import { checkOwnPassword } from "./own-account.ts";
import { changePasskeyName, deletePasskey, insertPasskey, listPasskeysOf } from "./passkey-store.ts";
import type { AccountServices, Visit } from "./services.ts";

const MAX_PASSKEYS = 10;
/** Adding a passkey needs no password while the log-in is more recent than this. */
const FRESH_MS = 10 * 60_000;

type RequestOnly = Pick<Visit, "request">;

export async function listPasskeys(
  { database, sessions }: AccountServices,
  { request }: RequestOnly,
): Promise<Reply<Passkey[]>> {
  const { user } = await sessions.require(request);
  return accepted((await listPasskeysOf(database, user.id)).map(toPasskey));
}

/** Options for creating a passkey, for a user who logged in recently or enters the password. */
export async function beginPasskey(
  services: AccountServices,
  { password }: { readonly password?: string | undefined },
  { request }: RequestOnly,
): Promise<Reply<PasskeyOptions>> {
  const { config, database, organisation, sessions, now } = services;
  const session = await sessions.require(request);
  await requireStepUp(services, session, password);
  const { id, email, firstName, lastName } = session.user;
  const existing = await listPasskeysOf(database, id);
  if (existing.length >= MAX_PASSKEYS) return refused(accountProblems.too_many_passkeys);
  const newcomer = {
    handle: userHandleOf(config.secretKey, "member", id),
    email,
    fullName: `${firstName} ${lastName}`,
    siteName: organisation.current().name,
    existing,
  };
  return accepted(await makeCreationOptions(config, newcomer, makeChallenge(challengeFor(config, session), now())));
}

async function requireStepUp(services: AccountServices, session: Session, password: string | undefined) {
  if (services.now().getTime() - session.createdAt.getTime() < FRESH_MS) return;
  if (password === undefined) throw new AppError(accountProblems.password_needed);
  if ((await checkOwnPassword(services, session, password)) === null) {
    throw new AppError("invalid_input", { fields: { password: [sentences.wrongOldPassword] } });
  }
}

/** Adds the passkey that the browser created, in the session that requested the options. */
export async function addPasskey(
  { config, database, jobs, sessions, now }: AccountServices,
  made: NewPasskey,
  { request }: RequestOnly,
): Promise<Reply<Passkey>> {
  const session = await sessions.require(request);
  const [at, challenge] = [now(), challengeOf(made)];
  const isOpen = await spendChallenge(database, challenge, challengeFor(config, session), at);
  const verified = isOpen ? await verifyNewPasskey(config, made, challenge) : null;
  if (verified === null) return refused(accountProblems.passkey_not_added);
  const { credentialId, publicKey, counter, transports, aaguid } = verified;
  const userId = session.user.id;
  const row = {
    id: randomUUID(),
    user_id: userId,
    credential_id: credentialId,
    public_key: publicKey,
    user_handle: userHandleOf(config.secretKey, "member", userId),
    counter,
    transports: [...transports],
    name: nameAuthenticator(aaguid) ?? describeDevice(request.headers["user-agent"] ?? ""),
    created_at: at,
    last_used_at: null,
    blocked_at: null,
  };
  const isAdded = await database.transaction().execute(async (transaction) => {
    if (!(await insertPasskey(transaction, row, MAX_PASSKEYS))) return false;
    await jobs.send(transaction, "emails", { template: "passkey-added", userId, emailId: randomUUID() });
    return true;
  });
  if (!isAdded) return refused(accountProblems.passkey_not_added);
  return accepted(toPasskey({ id: row.id, name: row.name, createdAt: at, lastUsedAt: null, blockedAt: null }));
}

/** @throws AppError `not_allowed` for a passkey that isn't the user's, whether or not it exists. */
export async function renamePasskey(
  { database, sessions }: AccountServices,
  { id, name }: { readonly id: string; readonly name: string },
  { request }: RequestOnly,
): Promise<Reply<Record<string, never>>> {
  const { user } = await sessions.require(request);
  if (!(await changePasskeyName(database, { id, userId: user.id }, name))) throw refuseAccess(request, user.id);
  return accepted({});
}

/** Removes one of the account's passkeys and emails its owner. @throws AppError `not_allowed`. */
export async function removePasskey(
  { database, jobs, sessions }: AccountServices,
  { id }: { readonly id: string },
  { request }: RequestOnly,
): Promise<Reply<{ credentialId: string }>> {
  const { user } = await sessions.require(request);
  const credentialId = await database.transaction().execute(async (transaction) => {
    const removed = await deletePasskey(transaction, { id, userId: user.id });
    if (removed === undefined) throw refuseAccess(request, user.id);
    await jobs.send(transaction, "emails", { template: "passkey-removed", userId: user.id, emailId: randomUUID() });
    return removed;
  });
  return accepted({ credentialId });
}

const challengeFor = ({ secretKey }: AccountServices["config"], { id }: Session) =>
  ({ secretKey, purpose: "add", holder: id }) as const;

type Listed = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null; blockedAt: Date | null };

function toPasskey({ id, name, createdAt, lastUsedAt, blockedAt }: Listed): Passkey {
  const times = { createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
  return { id, name, ...times, isBlocked: blockedAt !== null };
}
