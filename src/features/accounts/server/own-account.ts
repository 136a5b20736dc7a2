import { AppError } from "#shared/errors.ts";
import { refuseAccess } from "#shared/http/security-log.ts";
import { isPassword } from "#shared/sessions/passwords.ts";
import type { Session } from "#shared/sessions/sessions.ts";
import { countAct, forgetAct } from "./login-limits.ts";
import { type AccountServices, limitsOf, type Visit } from "./services.ts";
import { findUserById, type KeptUser } from "./store.ts";

/**
 * The session, if `id` is its own user's (API-9). Another id is not looked up, so that neither the message nor the time
 * reveals whether it exists.
 * @throws AppError `not_signed_in`; `not_allowed` for another id, which is logged.
 */
export async function requireOwn(
  { sessions }: AccountServices,
  { request }: Pick<Visit, "request">,
  id: number,
): Promise<Session> {
  const session = await sessions.require(request);
  if (id === session.user.id) return session;
  throw refuseAccess(request, session.user.id);
}

/**
 * Checks the current password again, with a limit per account that strangers can't use up. Null if it is wrong.
 * @throws AppError `too_many_tries`, `busy`, or `not_signed_in` if the account is gone.
 */
export async function checkOwnPassword(
  services: AccountServices,
  { user }: Session,
  password: string,
): Promise<KeptUser | null> {
  const { database, now } = services;
  const act = { act: "password check", by: "user", value: String(user.id) } as const;
  await countAct(database, act, limitsOf(services), now());
  const kept = await findUserById(database, user.id);
  if (kept === undefined) throw new AppError("not_signed_in");
  if (!(await isPassword(password, kept.passwordHash))) return null;
  await forgetAct(database, act, limitsOf(services));
  return kept;
}
