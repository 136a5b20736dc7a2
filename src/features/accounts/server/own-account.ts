import { AppError } from "#shared/errors.ts";
import { refuseAccess } from "#shared/http/security-log.ts";
import type { Session } from "#shared/sessions/sessions.ts";
import { countAct, forgetAct } from "./login-limits.ts";
import { isPassword } from "./passwords.ts";
import { type AccountServices, limitsOf, type Visit } from "./services.ts";
import { findUserById, type KeptUser } from "./store.ts";

/**
 * The session, when the id that came over the wire is its own user's (API-9). Nothing is looked up for another id: the
 * refusal tells by neither words nor time whether it exists.
 * @throws AppError `not_signed_in`; `not_allowed` for any other id, which the log hears of.
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
 * Asks for the present password once more, within a budget of the account's own that strangers cannot use up. Null when
 * it is wrong. @throws AppError `too_many_tries`, `busy`, or `not_signed_in` when the account is gone.
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
