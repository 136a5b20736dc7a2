import { expect, test } from "vitest";
import { readConfig } from "#shared/config/config.ts";
import { paypalOrigins, securityHeaders } from "./content-security-policy.ts";

const policyOf = (...parts: Parameters<typeof securityHeaders>) =>
  securityHeaders(...parts)["content-security-policy"] ?? "";
const trustedTypes = "require-trusted-types-for 'script'; trusted-types almoner svelte-trusted-html";
const reports = "report-uri /csp-reports";

test("DON-15, SEC-10: a plain page allows everything from this site and nothing inline, and enforces Trusted Types", () => {
  expect(securityHeaders()).toEqual({
    "content-security-policy": `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; ${trustedTypes}; ${reports}`,
  });
});

test("DON-15: the donation page adds the provider's script and frame, the captcha's origins and our own worker", () => {
  const policy = policyOf(
    {
      providers: ["https://pay.example"],
      captcha: { script: ["https://cap.example"], frame: ["https://cap.example"], connect: [], style: [] },
    },
    ["sha256-abc="],
  );
  expect(policy).toContain("script-src 'self' 'sha256-abc=' https://pay.example https://cap.example;");
  expect(policy).toContain("frame-src https://pay.example https://cap.example;");
  expect(policy).toContain("worker-src 'self';");
  expect(policy).not.toContain("unsafe");
});

test("SEC-10: with third-party scripts, Trusted Types only report", () => {
  const cap = { script: ["https://cap.example"], frame: [], connect: [], style: [] };
  for (const parts of [{ providers: ["https://pay.example"] }, { providers: [], captcha: cap }]) {
    const headers = securityHeaders(parts);
    expect(headers["content-security-policy"]).not.toContain("trusted-types");
    expect(headers["content-security-policy-report-only"]).toBe(
      `require-trusted-types-for 'script'; trusted-types * 'allow-duplicates'; ${reports}`,
    );
  }
  expect(policyOf({ providers: [] })).toContain(trustedTypes);
});

const policyWith = (settings: Record<string, string>) => {
  const { braintree } = readConfig({ SECRET_KEY: "a secret key of thirty-two characters", ...settings });
  return policyOf({ providers: ["https://pay.example"], paypal: paypalOrigins(braintree) });
};

test("DON-19: the simulated PayPal adds its simulator's origin to scripts, frames and calls, and nothing else", () => {
  const policy = policyWith({ PORT: "3000" });
  expect(policy).toContain("script-src 'self' https://pay.example http://127.0.0.1:3001;");
  expect(policy).toContain("frame-src https://pay.example http://127.0.0.1:3001;");
  expect(policy).toContain("connect-src 'self' http://127.0.0.1:3001;");
  expect(policy).toContain("style-src 'self'; img-src 'self' data:;");
});

test("DON-19: the real PayPal adds Braintree's and PayPal's origins of its environment, and no inline script", () => {
  const paypal = "https://*.paypal.com https://*.paypalobjects.com";
  for (const [url, part] of [
    ["production", ""],
    ["sandbox", "sandbox."],
  ] as const) {
    const policy = policyWith({ BRAINTREE_URL: url });
    expect(policy).toContain(`script-src 'self' https://pay.example https://js.braintreegateway.com ${paypal};`);
    expect(policy).toContain(`frame-src https://pay.example https://assets.braintreegateway.com ${paypal};`);
    expect(policy).toContain(
      `connect-src 'self' https://api.${part}braintreegateway.com https://payments.${part}braintree-api.com ${paypal};`,
    );
    expect(policy).toContain(`style-src 'self' 'unsafe-inline'; img-src 'self' data: ${paypal};`);
  }
});

test("DON-19: its origins are left out if PayPal is not offered", () => {
  expect(policyWith({ PAYPAL: "off", BRAINTREE_URL: "production" })).toBe(
    policyOf({ providers: ["https://pay.example"] }),
  );
});
