import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startSiteverify } from "#test/siteverify.ts";
import { createSiteverify, type SiteverifyProvider } from "./siteverify.ts";

let service: Awaited<ReturnType<typeof startSiteverify>>;
beforeAll(async () => {
  service = await startSiteverify({ hostname: "give.example" });
});
afterAll(() => service.stop());

const providers: SiteverifyProvider[] = ["turnstile", "recaptcha", "hcaptcha"];
const context = { action: "donate", address: "203.0.113.7", now: new Date() } as const;

function adapter(provider: SiteverifyProvider, more: { secret?: string; verifyUrl?: string; timeoutMs?: number } = {}) {
  const log = { warn: vi.fn() };
  const options = { siteKey: "site-key", secret: service.secret, verifyUrl: service.url, timeoutMs: 5000, ...more };
  const captcha = createSiteverify({ provider, hostname: "give.example", log, ...options });
  return { captcha, log, verify: (token: string | undefined) => captcha.verify(token, context) };
}

test.each(providers)("DON-14: %s gets the secret, the token and the donor's address", async (provider) => {
  const { verify } = adapter(provider);
  const nonce = createHash("sha256").update("ok-1").digest("hex");
  expect(await verify("ok-1")).toEqual({ ok: true, nonce, effort: 32 });
  const call = { secret: service.secret, response: "ok-1", remoteip: "203.0.113.7" };
  expect(service.calls.at(-1)).toEqual(provider === "hcaptcha" ? { ...call, sitekey: "site-key" } : call);
});

test.each(providers)("DON-14: each answer of %s about a token has its reason", async (provider) => {
  const { verify } = adapter(provider);
  expect(await verify(undefined)).toEqual({ ok: false, reason: "missing" });
  expect(await verify("fail-1")).toEqual({ ok: false, reason: "invalid" });
  expect(await verify("host-1")).toEqual({ ok: false, reason: "invalid" });
  expect(await verify(`dup-${provider}`)).toMatchObject({ ok: true });
  expect(await verify(`dup-${provider}`)).toEqual({ ok: false, reason: "expired" });
});

test("API-12: a Turnstile token that was solved for another call is refused", async () => {
  expect(await adapter("turnstile").verify("action-1")).toEqual({ ok: false, reason: "invalid" });
  expect(await adapter("recaptcha").verify("action-1")).toMatchObject({ ok: true });
});

test.each(["500-1", "garbage-1", "slow-1"])(
  "DON-14: the answer to %s does not pass, and the log says why",
  async (token) => {
    const { verify, log } = adapter("turnstile", { timeoutMs: 200 });
    expect(await verify(token)).toEqual({ ok: false, reason: "unavailable" });
    expect(log.warn).toHaveBeenCalledOnce();
  },
);

test("DON-14: an unreachable service does not pass", async () => {
  const { verify } = adapter("recaptcha", { verifyUrl: "http://127.0.0.1:1/siteverify" });
  expect(await verify("ok-1")).toEqual({ ok: false, reason: "unavailable" });
});

test("DON-14: a wrong secret is our fault, not the donor's", async () => {
  const { verify, log } = adapter("hcaptcha", { secret: "wrong" });
  expect(await verify("ok-1")).toEqual({ ok: false, reason: "unavailable" });
  expect(log.warn.mock.lastCall?.[1]).toContain("CAPTCHA_SECRET_KEY");
});

test("DON-14: a text too long for a token is not passed on", async () => {
  const asked = service.calls.length;
  expect(await adapter("turnstile").verify(`ok-${"x".repeat(5000)}`)).toEqual({ ok: false, reason: "invalid" });
  expect(service.calls).toHaveLength(asked);
});

test.each(providers)("DON-14: the page gets %s's site key and script, and may load it", (provider) => {
  const { captcha } = adapter(provider);
  const { siteKey, scriptUrl = "" } = captcha.publicConfig();
  expect(siteKey).toBe("site-key");
  const hosts = captcha.origins().script.map((origin) => origin.replace("https://*.", "https://js."));
  expect(hosts.some((origin) => scriptUrl.startsWith(origin))).toBe(true);
  expect(JSON.stringify(captcha.publicConfig())).not.toContain(service.secret);
});
