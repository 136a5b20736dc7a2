import type { FastifyReply, FastifyRequest } from "fastify";
import { type Captcha, findSolved, spendEffort } from "#shared/captcha/captcha.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import type { Mail } from "#shared/mail/mail.ts";
import type { Person } from "#shared/retention/retention.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import type { LoginLimits } from "./login-limits.ts";

/** What other features hold on a person and do for them; `app` provides it. */
export type OtherFeatures = {
  /** Everything they hold on a person, ready for JSON. */
  exportPerson(person: Person): Promise<Record<string, unknown>>;
  /** Erases what a closed account leaves, now or later. Runs in the deleting transaction, before the deletion. */
  releasePerson(transaction: Connection, person: Person, now: Date): Promise<void>;
  /** Adds the donations made with this email as a guest to the account. Returns how many. */
  joinGuestDonations(connection: Connection, person: { userId: number; email: string }): Promise<number>;
};

export type AccountServices = OtherFeatures &
  CoreServices<"database" | "files" | "jobs" | "organisation" | "now", "secretKey" | "limits" | "publicUrl"> & {
    readonly mail: Mail;
    readonly sessions: Sessions;
    readonly captcha: Captcha;
    /** The captcha that is only needed on suspicion. */
    readonly work: Captcha;
  };

export type Visit = { readonly request: FastifyRequest; readonly response: FastifyReply };

/**
 * Reads the captcha of a form that needs one only on suspicion. Call the result to spend it: it throws `captcha_dearer`
 * if the captcha is worth less than `effort`. An effort of 1 needs none.
 */
export async function readWork(
  { work, now }: Pick<AccountServices, "work" | "now">,
  { token, action }: { token: string | undefined; action: "login" | "reset" },
  { request }: Pick<Visit, "request">,
): Promise<(transaction: Connection, effort: number) => Promise<void>> {
  const at = now();
  const solved = await findSolved(work, token, { action, address: request.ip, now: at });
  return async (transaction, effort) => {
    if (effort > 1) await spendEffort(transaction, solved, { effort, now: at });
  };
}

/** An account's owner, as passed to other features. */
export function personOf({ id, email, emailVerifiedAt }: SessionUser): Person {
  return { userId: id, email, isConfirmed: emailVerifiedAt !== null, askedBy: "member" };
}

export function limitsOf({ config }: Pick<AccountServices, "config">): LoginLimits {
  const { logins, accountsPerHour } = config.limits;
  return { secretKey: config.secretKey, logins, accountsPerHour };
}
