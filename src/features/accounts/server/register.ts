import { randomUUID } from "node:crypto";
import { checkCaptcha, spendCaptcha } from "#shared/captcha/captcha.ts";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { hashPassword } from "#shared/sessions/passwords.ts";
import type { BegunSession } from "#shared/sessions/sessions.ts";
import { type Registration, type User, wireField } from "../contract.ts";
import { sentences } from "../person.ts";
import { accountProblems } from "../problems.ts";
import { checkDetails } from "./check-details.ts";
import { isAddressKey } from "./codes.ts";
import { rememberDevice } from "./devices.ts";
import { countAccount, countAct } from "./login-limits.ts";
import { type AccountServices, limitsOf, type Visit } from "./services.ts";
import { changeUser, insertUser } from "./store.ts";

/**
 * Opens an account and logs in (LOG-15, LOG-18). Of concurrent registrations of one email, only one succeeds. @throws
 * AppError `invalid_input` for a taken email, or `captcha_failed`.
 */
export async function register(
  services: AccountServices,
  registration: Registration,
  visit: Visit,
): Promise<Reply<User>> {
  const { config, database, captcha, sessions, now } = services;
  const context = { action: "register", address: visit.request.ip, now: now() } as const;
  const checked = await checkCaptcha(captcha, registration.captcha, context);
  if ("refusal" in checked) return checked.refusal;
  const details = { ...registration, ...(await checkDetails(database, registration)) };
  const opened = await database
    .transaction()
    .execute((transaction) => open(services, transaction, { details, visit, nonce: checked.solved.nonce }));
  if (opened === null) throw new AppError("invalid_input", { fields: { [wireField.email]: [sentences.emailTaken] } });
  sessions.handOver(visit.response, opened);
  rememberDevice(config, visit, details.email);
  return accepted({ ...details, id: opened.userId });
}

type Opening = { readonly details: Registration; readonly visit: Visit; readonly nonce: string };

/**
 * Null if the email is taken. The captcha is spent even then, or one captcha could probe many emails. The password is
 * hashed only once the email is claimed, so that many registrations of one email cost one hash.
 */
async function open(
  services: AccountServices,
  transaction: Connection,
  { details, visit, nonce }: Opening,
): Promise<BegunSession | null> {
  const { jobs, sessions, now } = services;
  const at = now();
  await countAccount(transaction, visit.request.ip, limitsOf(services), at);
  if (!(await spendCaptcha(transaction, nonce, at))) throw new AppError("captcha_failed");
  const userId = await insertUser(transaction, {
    email: details.email,
    password_hash: "",
    first_name: details.firstName,
    last_name: details.lastName,
    country: details.country,
    state: details.state,
    mobile: details.mobile,
    postcode: details.postcode,
    preferred_contact: details.preferredContact,
    city: details.city,
    email_verified_at: null,
    created_at: at,
  });
  if (userId === undefined) return null;
  await changeUser(transaction, userId, { password_hash: await hashPassword(details.password) });
  await jobs.send(transaction, "emails", { template: "welcome", userId, emailId: randomUUID() });
  return sessions.begin(transaction, userId, visit.request);
}

/** Emails the link that confirms the user's address, at most three times an hour. */
export async function sendVerification(
  services: AccountServices,
  { request }: Pick<Visit, "request">,
): Promise<Reply<Record<string, never>>> {
  const { database, jobs, sessions, now } = services;
  const { user } = await sessions.require(request);
  await database.transaction().execute(async (transaction) => {
    const act = { act: "verification email", by: "user", value: String(user.id) } as const;
    await countAct(transaction, act, limitsOf(services), now());
    await jobs.send(transaction, "emails", { template: "confirm-address", userId: user.id, emailId: randomUUID() });
  });
  return accepted({}, "The email is on its way.");
}

/**
 * Confirms the address with the key from that link, in the account's own session. Otherwise a mail scanner that opens
 * links, or an owner whose address a stranger registered, would show the stranger guest donations. @throws AppError
 * `not_signed_in`, or `link_failed`.
 */
export async function verifyEmail(
  { config, database, sessions, joinGuestDonations, now }: AccountServices,
  { key }: { readonly key: string },
  { request }: Pick<Visit, "request">,
): Promise<Reply<{ joinedGifts: number }>> {
  const { user } = await sessions.require(request);
  if (!isAddressKey(config.secretKey, user, key, now())) throw new AppError(accountProblems.link_failed);
  const joinedGifts = await database.transaction().execute(async (transaction) => {
    if (user.emailVerifiedAt === null) await changeUser(transaction, user.id, { email_verified_at: now() });
    return joinGuestDonations(transaction, { userId: user.id, email: user.email });
  });
  return accepted({ joinedGifts });
}
