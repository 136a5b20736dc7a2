import { randomUUID } from "node:crypto";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import { AppError } from "#shared/errors.ts";
import { wireField } from "../contract.ts";
import { sentences } from "../person.ts";
import { checkOwnPassword, requireOwn } from "./own-account.ts";
import { hashPassword } from "./passwords.ts";
import type { AccountServices, Visit } from "./services.ts";
import { replacePassword } from "./store.ts";

type Change = {
  readonly id: number;
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
};

/** Sets a new password: every other session ends, and this one goes on under a new token (PRO-6). */
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
    await jobs.send(transaction, "letters", { letter: "password-changed", userId: id, letterId: randomUUID() });
    return sessions.begin(transaction, id, visit.request);
  });
  sessions.handOver(visit.response, begun);
  return accepted({}, sentences.passwordChanged);
}

function wrongOldPassword(): AppError {
  return new AppError("invalid_input", { fields: { [wireField.oldPassword]: [sentences.wrongOldPassword] } });
}
