import type { FastifyInstance } from "fastify";
import { captchaCostFactors, type DeclineBreaker } from "#shared/limits/decline-breaker.ts";
import type { Captcha } from "./captcha.ts";

/**
 * `GET /captcha`: a challenge at the top level of the answer, where ALTCHA's widget reads it, and dearer while the
 * breaker is raised. With any other provider there is no such address.
 */
export async function captchaRoutes(server: FastifyInstance, { captcha, breaker, now }: CaptchaRoutesOptions) {
  const { createChallenge } = captcha;
  if (createChallenge === undefined) return;
  const schema = { summary: "A challenge for ALTCHA's widget, at the top level of the answer" } as object;
  server.get("/captcha", { schema }, async (_request, reply) => {
    const at = now();
    const costFactor = captchaCostFactors[await breaker.findLevel(at)];
    reply.header("cache-control", "no-store");
    return createChallenge({ costFactor, now: at });
  });
}

export type CaptchaRoutesOptions = { captcha: Captcha; breaker: DeclineBreaker; now: () => Date };
