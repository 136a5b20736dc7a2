import { randomUUID } from "node:crypto";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import { AppError } from "#shared/errors.ts";
import { refuseAccess } from "#shared/http/security-log.ts";
import { nameAuthenticator } from "#shared/passkeys/authenticators.ts";
import { makeChallenge, spendChallenge } from "#shared/passkeys/challenges.ts";
import type { NewPasskey, PasskeyOptions } from "#shared/passkeys/contract.ts";
import { challengeOf, makeCreationOptions, userHandleOf, verifyNewPasskey } from "#shared/passkeys/passkeys.ts";
import type { Session } from "#shared/sessions/sessions.ts";
import type { Passkey } from "../contract.ts";
import { describeDevice } from "../device.ts";
import { sentences } from "../person.ts";
import { checkOwnPassword } from "./own-account.ts";
import { changePasskeyName, deletePasskey, insertPasskey, listPasskeysOf } from "./passkey-store.ts";
import type { AccountServices, Visit } from "./services.ts";

const MOST_PASSKEYS = 10;
/** A log-in that is younger needs no password to add a passkey. */
const FRESH_MS = 10 * 60_000;

type Asking = Pick<Visit, "request">;

export async function listPasskeys(
  { database, sessions }: AccountServices,
  { request }: Asking,
): Promise<Reply<Passkey[]>> {
  const { user } = await sessions.require(request);
  return accepted((await listPasskeysOf(database, user.id)).map(toPasskey));
}

/** What the browser makes a passkey from, for whoever logged in just now or knows the password. */
export async function beginPasskey(
  services: AccountServices,
  { password }: { readonly password?: string | undefined },
  { request }: Asking,
): Promise<Reply<PasskeyOptions>> {
  const { config, database, organisation, sessions, now } = services;
  const session = await sessions.require(request);
  await requireStepUp(services, session, password);
  const { id, email, firstName, lastName } = session.user;
  const existing = await listPasskeysOf(database, id);
  if (existing.length >= MOST_PASSKEYS) return refused("too_many_passkeys");
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
  if (password === undefined) throw new AppError("password_needed");
  if ((await checkOwnPassword(services, session, password)) === null) {
    throw new AppError("invalid_input", { fields: { password: [sentences.wrongOldPassword] } });
  }
}

/** Adds what the browser made, in the session that began it. */
export async function addPasskey(
  { config, database, jobs, sessions, now }: AccountServices,
  made: NewPasskey,
  { request }: Asking,
): Promise<Reply<Passkey>> {
  const session = await sessions.require(request);
  const [at, challenge] = [now(), challengeOf(made)];
  const isOpen = await spendChallenge(database, challenge, challengeFor(config, session), at);
  const verified = isOpen ? await verifyNewPasskey(config, made, challenge) : null;
  if (verified === null) return refused("passkey_not_added");
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
    if (!(await insertPasskey(transaction, row, MOST_PASSKEYS))) return false;
    await jobs.send(transaction, "letters", { letter: "passkey-added", userId, letterId: randomUUID() });
    return true;
  });
  if (!isAdded) return refused("passkey_not_added");
  return accepted(toPasskey({ id: row.id, name: row.name, createdAt: at, lastUsedAt: null, blockedAt: null }));
}

export async function renamePasskey(
  { database, sessions }: AccountServices,
  { id, name }: { readonly id: string; readonly name: string },
  { request }: Asking,
): Promise<Reply<Record<string, never>>> {
  const { user } = await sessions.require(request);
  if (!(await changePasskeyName(database, { id, userId: user.id }, name))) throw refuseAccess(request, user.id);
  return accepted({});
}

/** Removes a passkey; the password and the other passkeys stay as they are. */
export async function removePasskey(
  { database, jobs, sessions }: AccountServices,
  { id }: { readonly id: string },
  { request }: Asking,
): Promise<Reply<{ credentialId: string }>> {
  const { user } = await sessions.require(request);
  const credentialId = await database.transaction().execute(async (transaction) => {
    const removed = await deletePasskey(transaction, { id, userId: user.id });
    if (removed === undefined) throw refuseAccess(request, user.id);
    await jobs.send(transaction, "letters", { letter: "passkey-removed", userId: user.id, letterId: randomUUID() });
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
