import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Update, User } from "../contract.ts";
import { checkDetails } from "./check-details.ts";
import { requireOwn } from "./own-account.ts";
import { listPasskeysOf } from "./passkey-store.ts";
import type { AccountServices, Visit } from "./services.ts";
import { changeUser } from "./store.ts";

/** Changes one's own details; the address stays (PRO-3, PRO-4). */
export async function updateUser(services: AccountServices, update: Update, visit: Visit): Promise<Reply<User>> {
  const { database } = services;
  const { user } = await requireOwn(services, visit, update.id);
  const mobile = await checkDetails(database, update);
  const { firstName, lastName, country, state, postcode, preferredContact, city } = update;
  await changeUser(database, user.id, {
    first_name: firstName,
    last_name: lastName,
    country,
    state,
    mobile,
    postcode,
    preferred_contact: preferredContact,
    city,
  });
  return accepted({ ...update, mobile, email: user.email });
}

type OwnSession = { id: string; device: string; createdAt: string; lastSeenAt: string; isThisOne: boolean };

/** Where one is logged in, the latest visit first. */
export async function listSessions(
  { sessions }: AccountServices,
  { request }: Pick<Visit, "request">,
): Promise<Reply<OwnSession[]>> {
  const { id: thisOne, user } = await sessions.require(request);
  const listed = await sessions.list(user.id);
  return accepted(
    listed.map(({ id, device, createdAt, lastSeenAt }) => ({
      id,
      device,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      isThisOne: id === thisOne,
    })),
  );
}

export async function endOtherSessions(
  { database, sessions }: AccountServices,
  { request }: Pick<Visit, "request">,
): Promise<Reply<{ ended: number }>> {
  const { id, user } = await sessions.require(request);
  return accepted({ ended: await sessions.endAll(database, user.id, { except: id }) });
}

/** Everything that is kept of one person, but for what only lets them in (PRO-10). */
export async function exportData(
  { database, sessions, findGivingOf, now }: AccountServices,
  { request }: Pick<Visit, "request">,
): Promise<object> {
  const { user } = await sessions.require(request);
  const listed = await sessions.list(user.id);
  const passkeys = (await listPasskeysOf(database, user.id)).map(({ name, createdAt, lastUsedAt }) => ({
    name,
    createdAt,
    lastUsedAt,
  }));
  return { exportedAt: now(), user, sessions: listed, passkeys, donations: await findGivingOf(user.id) };
}
