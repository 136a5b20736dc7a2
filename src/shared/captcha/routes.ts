import type { FastifyInstance } from "fastify";
import { AppError } from "#shared/errors.ts";
import { captchaCostFactors, type DeclineBreaker } from "#shared/limits/decline-breaker.ts";
import { type Captcha, captchaActions } from "./captcha.ts";

/**
 * `GET /captcha?action=`: a challenge for one thing, for giving unless told, at the top level of the answer, where
 * ALTCHA's widget reads it; one for giving is dearer while the breaker is raised. With any other provider there is no
 * such address.
 */
export async function captchaRoutes(server: FastifyInstance, { captcha, breaker, now }: CaptchaRoutesOptions) {
  const { createChallenge } = captcha;
  if (createChallenge === undefined) return;
  const schema = { summary: "A challenge for ALTCHA's widget, at the top level of the answer" } as object;
  server.get<{ Querystring: { action?: unknown } }>("/captcha", { schema }, async ({ query }, reply) => {
    const at = now();
    const action = captchaActions.find((one) => one === (query.action ?? "donate"));
    if (action === undefined) throw new AppError("not_found");
    const costFactor = action === "donate" ? captchaCostFactors[await breaker.findLevel(at)] : 1;
    reply.header("cache-control", "no-store");
    return createChallenge({ action, costFactor, now: at });
  });
}

export type CaptchaRoutesOptions = { captcha: Captcha; breaker: Pick<DeclineBreaker, "findLevel">; now: () => Date };
