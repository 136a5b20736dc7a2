import { randomUUID } from "node:crypto";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import { AppError } from "#shared/errors.ts";
import { hashPassword } from "#shared/sessions/passwords.ts";
import { type Update, type User, wireField } from "../contract.ts";
import { sentences } from "../person.ts";
import { checkDetails } from "./check-details.ts";
import { checkOwnPassword, requireOwn } from "./own-account.ts";
import { type AccountServices, personOf, type Visit } from "./services.ts";
import { changeUser, replacePassword } from "./store.ts";

/** Changes the user's own details, but not the email (PRO-3, PRO-4). */
export async function updateUser(services: AccountServices, update: Update, visit: Visit): Promise<Reply<User>> {
  const { database } = services;
  const { user } = await requireOwn(services, visit, update.id);
  const details = { ...update, ...(await checkDetails(database, update)) };
  const { firstName, lastName, country, state, mobile, postcode, preferredContact, city } = details;
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
  return accepted({ ...details, email: user.email });
}

type OwnSession = { id: string; device: string; createdAt: string; lastSeenAt: string; isThisOne: boolean };

/** Latest visit first. */
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

/** Logs the member out everywhere but here. @throws AppError `not_signed_in`. */
export async function endOtherSessions(
  { database, sessions }: AccountServices,
  { request }: Pick<Visit, "request">,
): Promise<Reply<{ ended: number }>> {
  const { id, user } = await sessions.require(request);
  return accepted({ ended: await sessions.endAll(database, user.id, { except: id }) });
}

/** Everything we hold on the user, except what only authenticates them (PRO-12). */
export async function exportData(
  { sessions, exportPerson, now }: AccountServices,
  { request }: Pick<Visit, "request">,
): Promise<object> {
  const { user } = await sessions.require(request);
  return { exportedAt: now(), ...(await exportPerson(personOf(user))) };
}

type Change = {
  readonly id: number;
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
};

/**
 * Sets a new password: all other sessions end, and this one continues with a new token (PRO-6). @throws AppError
 * `not_signed_in`, `not_allowed` for another's account, or `invalid_input`.
 */
export async function changePassword(
  services: AccountServices,
  { id, oldPassword, newPassword, confirmPassword }: Change,
  visit: Visit,
): Promise<Reply<Record<string, never>>> {
  const { database, jobs, sessions } = services;
  const session = await requireOwn(services, visit, id);
  if (newPassword !== confirmPassword) {
    throw new AppError("invalid_input", { fields: { [wireField.confirmPassword]: [sentences.noMatch] } });
  }
  const kept = await checkOwnPassword(services, session, oldPassword);
  if (kept === null) throw wrongOldPassword();
  const newHash = await hashPassword(newPassword);
  const begun = await database.transaction().execute(async (transaction) => {
    if (!(await replacePassword(transaction, kept, newHash))) throw wrongOldPassword();
    await sessions.endAll(transaction, id);
    await jobs.send(transaction, "emails", { template: "password-changed", userId: id, emailId: randomUUID() });
    return sessions.begin(transaction, id, visit.request);
  });
  sessions.handOver(visit.response, begun);
  return accepted({}, sentences.passwordChanged);
}

function wrongOldPassword(): AppError {
  return new AppError("invalid_input", { fields: { [wireField.oldPassword]: [sentences.wrongOldPassword] } });
}
