import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isSigned, signPath } from "./signed-link.ts";

const secret = "a-secret-of-at-least-thirty-two-characters";
const path = "/receipts/7d8a3ab2-0c1e-4a64-9d0e-3f0c6b1f6a01";
const keyIn = (signed: string) => signed.split("?key=")[1]!;

test("API-9: a signed link opens its own path and no other, and only under its own secret", () => {
  const key = keyIn(signPath(secret, path));
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(isSigned(secret, path, key)).toBe(true);
  expect(isSigned(secret, `${path}0`, key)).toBe(false);
  expect(isSigned(`${secret}2`, path, key)).toBe(false);
});

test("API-9: a key that another use of the secret made opens nothing", () => {
  expect(isSigned(secret, path, createHmac("sha256", secret).update(path).digest("base64url"))).toBe(false);
});

test("API-9: nothing else opens a path, whatever its type or length", () => {
  const key = keyIn(signPath(secret, path));
  for (const wrong of [undefined, null, "", key.slice(1), `${key}=`, `${key} `, [key], { key }, 0]) {
    expect(isSigned(secret, path, wrong)).toBe(false);
  }
  fc.assert(fc.property(fc.string(), (guess) => guess === key || !isSigned(secret, path, guess)));
});
