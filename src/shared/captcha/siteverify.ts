import { createHash } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import { z } from "zod";
import { MAX_EFFORT } from "#shared/limits/effort.ts";
import type { Captcha, CaptchaOrigins, CaptchaVerdict } from "./captcha.ts";

/** Longer than any of the three services' tokens; nothing longer is passed on. */
const MAX_TOKEN_LENGTH = 4096;

type Service = {
  readonly verifyUrl: string;
  readonly scriptUrl: string;
  /** The service reports the action that its widget was shown for, and we compare it. */
  readonly checksAction: boolean;
  readonly sendsSiteKey: boolean;
  readonly origins: CaptchaOrigins;
};

const cloudflare = "https://challenges.cloudflare.com";
const hcaptcha = ["https://hcaptcha.com", "https://*.hcaptcha.com"];

/** Where the three differ. Origins are those in each vendor's documentation of content security policies. */
const services = {
  turnstile: {
    verifyUrl: `${cloudflare}/turnstile/v0/siteverify`,
    scriptUrl: `${cloudflare}/turnstile/v0/api.js?render=explicit`,
    checksAction: true,
    sendsSiteKey: false,
    origins: { script: [cloudflare], frame: [cloudflare], connect: [], style: [] },
  },
  recaptcha: {
    verifyUrl: "https://www.google.com/recaptcha/api/siteverify",
    scriptUrl: "https://www.google.com/recaptcha/api.js?render=explicit",
    checksAction: false,
    sendsSiteKey: false,
    origins: {
      script: ["https://www.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/"],
      frame: ["https://www.google.com/recaptcha/", "https://recaptcha.google.com/recaptcha/"],
      connect: ["https://www.google.com/recaptcha/"],
      style: [],
    },
  },
  hcaptcha: {
    verifyUrl: "https://api.hcaptcha.com/siteverify",
    scriptUrl: "https://js.hcaptcha.com/1/api.js?render=explicit",
    checksAction: false,
    sendsSiteKey: true,
    origins: { script: hcaptcha, frame: hcaptcha, connect: hcaptcha, style: hcaptcha },
  },
} as const satisfies Record<string, Service>;

export type SiteverifyProvider = keyof typeof services;

const Reply = z.object({
  success: z.boolean(),
  hostname: z.string().optional(),
  action: z.string().optional(),
  "error-codes": z.array(z.string()).default([]),
});

/** Codes for a token that was valid once. */
const SPENT = new Set(["timeout-or-duplicate", "expired-input-response", "already-seen-response"]);
/** Codes that say nothing about the token: the service has a problem, or our keys are wrong. */
const OURS = new Set(["internal-error", "missing-input-secret", "invalid-input-secret", "sitekey-secret-mismatch"]);

/**
 * Cloudflare Turnstile, Google reCAPTCHA v2 or hCaptcha: the service checks the token, and we fail closed. The service
 * decides how hard its captcha is, so each counts as the highest effort.
 */
export function createSiteverify(options: {
  provider: SiteverifyProvider;
  siteKey: string;
  secret: string;
  verifyUrl: string | undefined;
  /** The host that the widget must have been solved on: that of the public address. */
  hostname: string;
  timeoutMs: number;
  log: Pick<FastifyBaseLogger, "warn">;
}): Captcha {
  const { provider, siteKey, secret, hostname, timeoutMs, log } = options;
  const service: Service = services[provider];
  const verifyUrl = options.verifyUrl ?? service.verifyUrl;
  return {
    provider,
    publicConfig: () => ({ provider, siteKey, scriptUrl: service.scriptUrl }),
    origins: () => service.origins,
    verify: async (token, { action, address }): Promise<CaptchaVerdict> => {
      if (!token) return { ok: false, reason: "missing" };
      if (token.length > MAX_TOKEN_LENGTH) return { ok: false, reason: "invalid" };
      const form = new URLSearchParams({ secret, response: token, remoteip: address });
      if (service.sendsSiteKey) form.set("sitekey", siteKey);
      const reply = await ask(verifyUrl, form, timeoutMs).catch((error: unknown) => {
        log.warn({ err: error, provider }, "the captcha service could not be reached, so this captcha was refused");
        return null;
      });
      if (reply === null) return { ok: false, reason: "unavailable" };
      const codes = reply["error-codes"];
      if (!reply.success && codes.some((code) => OURS.has(code))) {
        log.warn(
          { provider, codes },
          "the captcha service refuses our keys: check CAPTCHA_SITE_KEY and CAPTCHA_SECRET_KEY",
        );
        return { ok: false, reason: "unavailable" };
      }
      if (!reply.success) return { ok: false, reason: codes.some((code) => SPENT.has(code)) ? "expired" : "invalid" };
      const isOurs = reply.hostname === hostname && (!service.checksAction || reply.action === action);
      return isOurs ? { ok: true, nonce: sha256(token), effort: MAX_EFFORT } : { ok: false, reason: "invalid" };
    },
  };
}

/** @throws if the service does not answer in time, or not with the expected JSON. */
async function ask(url: string, form: URLSearchParams, timeoutMs: number) {
  const response = await fetch(url, {
    method: "POST",
    body: form,
    headers: { accept: "application/json" },
    // Our secret is in the body, so it must not follow a redirect.
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status >= 500) throw new Error(`The captcha service answered ${response.status}.`);
  return Reply.parse(await response.json());
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
