import type { FastifyReply, FastifyRequest } from "fastify";
import type { Captcha } from "#shared/captcha/captcha.ts";
import type { Config } from "#shared/config.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import type { LoginLimits } from "#shared/limits/login-limits.ts";
import type { Mail } from "#shared/mail/mail.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";

/** What other features know of a person, and do for one; `app` hands it in. */
export type Giving = {
  /** Every donation of the account, with its lines and the data of its receipt, fit for JSON. */
  findGivingOf(userId: number): Promise<unknown>;
  /** Gives the account the donations that were made with its address as a guest. Returns how many. */
  joinGuestGifts(connection: Connection, person: { userId: number; email: string }): Promise<number>;
};

export type AccountServices = Giving & {
  readonly config: Pick<Config, "secretKey" | "limits" | "publicUrl">;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly mail: Mail;
  readonly organisation: { current(): Organisation };
  readonly sessions: Sessions;
  readonly captcha: Captcha;
  readonly now: () => Date;
};

/** One request of a browser and the answer that goes back to it. */
export type Visit = { readonly request: FastifyRequest; readonly response: FastifyReply };

export function limitsOf({ config }: Pick<AccountServices, "config">): LoginLimits {
  const { logins, accountsPerHour } = config.limits;
  return { secretKey: config.secretKey, logins, accountsPerHour };
}
