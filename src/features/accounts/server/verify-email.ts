import { randomUUID } from "node:crypto";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import { AppError } from "#shared/errors.ts";
import { isAddressKey } from "./codes.ts";
import { countAct } from "./login-limits.ts";
import { type AccountServices, limitsOf, type Visit } from "./services.ts";
import { changeUser } from "./store.ts";

/** Sends the link that shows that the address is one's own, at most three times an hour. */
export async function sendVerification(
  services: AccountServices,
  { request }: Pick<Visit, "request">,
): Promise<Reply<Record<string, never>>> {
  const { database, jobs, sessions, now } = services;
  const { user } = await sessions.require(request);
  await database.transaction().execute(async (transaction) => {
    const act = { act: "verification letter", by: "user", value: String(user.id) } as const;
    await countAct(transaction, act, limitsOf(services), now());
    await jobs.send(transaction, "letters", { letter: "address-check", userId: user.id, letterId: randomUUID() });
  });
  return accepted({}, "The letter is on its way.");
}

/**
 * Takes the key of that link in the session of the account that it was sent for: neither a mail scanner that opens links,
 * nor the owner of an address that a stranger registered, shows a stranger what was given as a guest.
 */
export async function verifyEmail(
  { config, database, sessions, joinGuestGifts, now }: AccountServices,
  { key }: { readonly key: string },
  { request }: Pick<Visit, "request">,
): Promise<Reply<{ joinedGifts: number }>> {
  const { user } = await sessions.require(request);
  if (!isAddressKey(config.secretKey, user, key, now())) throw new AppError("link_failed");
  const joinedGifts = await database.transaction().execute(async (transaction) => {
    if (user.emailVerifiedAt === null) await changeUser(transaction, user.id, { email_verified_at: now() });
    return joinGuestGifts(transaction, { userId: user.id, email: user.email });
  });
  return accepted({ joinedGifts });
}
