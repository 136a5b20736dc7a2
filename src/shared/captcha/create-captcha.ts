import type { FastifyBaseLogger } from "fastify";
import type { Config } from "#shared/config/config.ts";
import { createAltcha } from "./altcha.ts";
import type { Captcha } from "./captcha.ts";
import { createSiteverify } from "./siteverify.ts";

/** The configured captcha. `log` warns when a service does not answer or refuses our secret. */
export function createCaptcha(
  { captcha, secretKey, publicUrl }: CaptchaSettings,
  log: Pick<FastifyBaseLogger, "warn">,
): Captcha {
  if (captcha.provider === "altcha") return createAltcha({ cost: captcha.cost, secretKey });
  return createSiteverify({
    provider: captcha.provider,
    siteKey: captcha.siteKey ?? "",
    secret: captcha.secretKey ?? "",
    verifyUrl: captcha.verifyUrl,
    hostname: new URL(publicUrl).hostname,
    timeoutMs: 5000,
    log,
  });
}

type CaptchaSettings = Pick<Config, "captcha" | "secretKey" | "publicUrl">;
