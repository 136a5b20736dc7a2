import { expect, test } from "vitest";
import { contentSecurityPolicy } from "./content-security-policy.ts";

test("DON-15: a plain page takes everything from this site and nothing inline", () => {
  expect(contentSecurityPolicy()).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
});

test("DON-15: the donation page adds the provider's script and frame, the captcha's origins and our own worker", () => {
  const policy = contentSecurityPolicy({
    providers: ["https://pay.example"],
    captcha: { script: ["https://cap.example"], frame: ["https://cap.example"], connect: [], style: [] },
  });
  expect(policy).toContain("script-src 'self' https://pay.example https://cap.example;");
  expect(policy).toContain("frame-src https://pay.example https://cap.example;");
  expect(policy).toContain("worker-src 'self';");
  expect(policy).not.toContain("unsafe");
});
