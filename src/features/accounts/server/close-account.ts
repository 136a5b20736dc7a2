import { randomUUID } from "node:crypto";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { sentences } from "../person.ts";
import { forgetDevice } from "./devices.ts";
import { accountClosedLetter } from "./letters.ts";
import { checkOwnPassword } from "./own-account.ts";
import { type AccountServices, personOf, type Visit } from "./services.ts";
import type { KeptUser } from "./store.ts";

/**
 * Closes one's own account: the user, the sessions and the codes go, and everything else loses the person as the table of
 * what is kept says (PRO-11, SEC-9), all in one transaction.
 *
 * The letter about it is the one that is no job: when a job runs, the address is gone, and nothing that would outlive the
 * account may hold it. So it is handed to the mail server once, right after the account is closed, and lost when that does
 * not answer; a closed account is worth more than the letter about it.
 */
export async function closeAccount(
  services: AccountServices,
  { password }: { readonly password: string },
  { request, response }: Visit,
): Promise<Reply<Record<string, never>>> {
  const { config, database, mail, organisation, sessions } = services;
  const session = await sessions.require(request);
  const kept = await checkOwnPassword(services, session, password);
  if (kept === null) throw wrongPassword();
  const { email } = kept.user;
  await database.transaction().execute((transaction) => removeAccount(services, transaction, kept));
  await sessions.end(request, response);
  forgetDevice(config, { response });
  const sender = { organisation: organisation.current(), publicUrl: config.publicUrl };
  await mail.send(accountClosedLetter(sender, { email, letterId: randomUUID() })).catch((error: unknown) => {
    // The mail server's own words may repeat the address.
    const code = (error as { code?: unknown }).code;
    request.log.warn({ code }, "the letter about a closed account could not be sent");
  });
  return accepted({}, "Your account is closed.");
}

/** The user's row is locked first: whatever is being written for the account is there before, and nothing comes after. */
async function removeAccount(
  { releasePerson, now }: AccountServices,
  transaction: Connection,
  { user, passwordHash }: KeptUser,
): Promise<void> {
  const row = await transaction
    .selectFrom("users")
    .select("id")
    .where("id", "=", user.id)
    .where("password_hash", "=", passwordHash)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw wrongPassword();
  await releasePerson(transaction, personOf(user), now());
  await transaction.deleteFrom("users").where("id", "=", user.id).execute();
}

function wrongPassword(): AppError {
  return new AppError("invalid_input", { fields: { password: [sentences.wrongOldPassword] } });
}
