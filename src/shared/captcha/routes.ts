import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#shared/errors.ts";
import { MAX_EFFORT } from "#shared/limits/effort.ts";
import { actionsOnSuspicion, type Captcha, captchaActions } from "./captcha.ts";

/** For OpenAPI. */
const description = {
  summary: "A challenge for ALTCHA's widget, at the top level of the answer",
  querystring: {
    type: "object",
    properties: {
      action: {
        type: "string",
        enum: captchaActions,
        default: "donate",
        description: "What the captcha is for. One for `donate` serves all but `login`, `reset` and `hold`",
      },
      effort: {
        type: "integer",
        minimum: 1,
        maximum: MAX_EFFORT,
        default: 1,
        description: "How many times the work of an ordinary captcha, as the refusal `captcha_dearer` demands",
      },
    },
  },
};

/**
 * `GET /captcha?action=&effort=`: a challenge for one action, by default `donate`, at the top level of the answer,
 * where ALTCHA's widget reads it. Its effort is the requested one, or more if the sender needs more. Not found for
 * actions whose captcha comes from another provider.
 */
export async function captchaRoutes(server: FastifyInstance, { captcha, work, findEffort, now }: CaptchaRoutesOptions) {
  server.get<{ Querystring: { action?: unknown; effort?: unknown } }>(
    "/captcha",
    { config: { describe: () => description } as object },
    async (request, reply) => {
      const { action: wanted = "donate", effort: asked } = request.query;
      const action = captchaActions.find((one) => one === wanted);
      const { createChallenge } = action !== undefined && actionsOnSuspicion.includes(action) ? work : captcha;
      if (action === undefined || createChallenge === undefined) throw new AppError("not_found");
      const isPayment = action === "donate" || action === "tickets";
      const needed = isPayment ? await findEffort(request) : 1;
      reply.header("cache-control", "no-store");
      return createChallenge({ action, effort: Math.max(needed, readEffort(asked)), now: now() });
    },
  );
}

const readEffort = (asked: unknown) => Math.min(MAX_EFFORT, Math.max(1, Math.floor(Number(asked)) || 1));

type CaptchaRoutesOptions = {
  captcha: Captcha;
  work: Captcha;
  /** The effort that a payment's captcha needs from this sender. */
  findEffort: (request: FastifyRequest) => Promise<number>;
  now: () => Date;
};
