import type { FastifyReply, FastifyRequest } from "fastify";
import { type Captcha, findSolved, spendEffort } from "#shared/captcha/captcha.ts";
import type { Config } from "#shared/config.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import type { Mail } from "#shared/mail/mail.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Person } from "#shared/retention/retention.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import type { LoginLimits } from "./login-limits.ts";

/** What other features know of a person, and do for one; `app` hands it in. */
export type OtherFeatures = {
  /** Everything that they hold on a person, fit for JSON. */
  exportPerson(person: Person): Promise<Record<string, unknown>>;
  /** Erases what a closed account leaves, and marks what goes later; in the transaction that deletes it, before it. */
  releasePerson(transaction: Connection, person: Person, now: Date): Promise<void>;
  /** Gives the account the donations that were made with its address as a guest. Returns how many. */
  joinGuestGifts(connection: Connection, person: { userId: number; email: string }): Promise<number>;
};

export type AccountServices = OtherFeatures & {
  readonly config: Pick<Config, "secretKey" | "limits" | "publicUrl">;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly mail: Mail;
  readonly organisation: { current(): Organisation };
  readonly sessions: Sessions;
  readonly captcha: Captcha;
  /** The captcha that only suspicion asks for. */
  readonly work: Captcha;
  readonly now: () => Date;
};

/** One request of a browser and the answer that goes back to it. */
export type Visit = { readonly request: FastifyRequest; readonly response: FastifyReply };

/**
 * Reads the captcha of a form that asks for one only on suspicion. What comes back spends it; it throws `captcha_dearer`
 * where the captcha is worth less than the effort. An effort of 1 needs none.
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

/** An account's owner, as other features are told of them. */
export function personOf({ id, email, emailVerifiedAt }: SessionUser): Person {
  return { userId: id, email, isConfirmed: emailVerifiedAt !== null };
}

export function limitsOf({ config }: Pick<AccountServices, "config">): LoginLimits {
  const { logins, accountsPerHour } = config.limits;
  return { secretKey: config.secretKey, logins, accountsPerHour };
}
