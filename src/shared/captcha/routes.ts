import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#shared/errors.ts";
import { type Captcha, type CaptchaAction, captchaActions } from "./captcha.ts";
import { HIGHEST_EFFORT } from "./effort.ts";

/** What only suspicion asks a captcha for: that is ALTCHA's whatever is configured, for the page solves it by itself. */
const onSuspicion: readonly CaptchaAction[] = ["login", "reset", "hold"];

/**
 * `GET /captcha?action=&effort=`: a challenge for one thing, for giving unless told, at the top level of the answer, where
 * ALTCHA's widget reads it. It is worth what was asked for, or more where the sender needs more. What a form shows comes
 * from the configured provider; where that is another one, there is no such address for it.
 */
export async function captchaRoutes(server: FastifyInstance, { captcha, work, findEffort, now }: CaptchaRoutesOptions) {
  const schema = { summary: "A challenge for ALTCHA's widget, at the top level of the answer" } as object;
  server.get<{ Querystring: { action?: unknown; effort?: unknown } }>(
    "/captcha",
    { schema },
    async (request, reply) => {
      const { action: wanted = "donate", effort: asked } = request.query;
      const action = captchaActions.find((one) => one === wanted);
      const { createChallenge } = action !== undefined && onSuspicion.includes(action) ? work : captcha;
      if (action === undefined || createChallenge === undefined) throw new AppError("not_found");
      const isPayment = action === "donate" || action === "tickets";
      const needed = isPayment ? await findEffort(request) : 1;
      reply.header("cache-control", "no-store");
      return createChallenge({ action, effort: Math.max(needed, readEffort(asked)), now: now() });
    },
  );
}

const readEffort = (asked: unknown) => Math.min(HIGHEST_EFFORT, Math.max(1, Math.floor(Number(asked)) || 1));

export type CaptchaRoutesOptions = {
  captcha: Captcha;
  work: Captcha;
  /** What a captcha before a payment of this sender must be worth. */
  findEffort: (request: FastifyRequest) => Promise<number>;
  now: () => Date;
};
