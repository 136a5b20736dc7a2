import { randomUUID } from "node:crypto";
import { checkCaptcha, spendCaptcha } from "#shared/captcha/captcha.ts";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { BegunSession } from "#shared/sessions/sessions.ts";
import { type Registration, type User, wireField } from "../contract.ts";
import { sentences } from "../person.ts";
import { checkDetails } from "./check-details.ts";
import { rememberDevice } from "./devices.ts";
import { countAccount } from "./login-limits.ts";
import { hashPassword } from "./passwords.ts";
import { type AccountServices, limitsOf, type Visit } from "./services.ts";
import { changeUser, insertUser } from "./store.ts";

/** Opens an account and logs in (LOG-15, LOG-18); of any number of registrations of one address one succeeds. */
export async function register(
  services: AccountServices,
  registration: Registration,
  visit: Visit,
): Promise<Reply<User>> {
  const { config, database, captcha, sessions, now } = services;
  const context = { action: "register", address: visit.request.ip, now: now() } as const;
  const checked = await checkCaptcha(captcha, registration.captcha, context);
  if ("refusal" in checked) return checked.refusal;
  const mobile = await checkDetails(database, registration);
  const city = /^not required$/i.test(registration.city) ? "" : registration.city;
  const details = { ...registration, mobile, city };
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
 * Null when the address is taken; the captcha is spent then too, else one would tell of any number of addresses. The
 * password is hashed only when the address is ours to take, so that a crowd after one address costs one hash.
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
  await jobs.send(transaction, "letters", { letter: "welcome", userId, letterId: randomUUID() });
  return sessions.begin(transaction, userId, visit.request);
}
