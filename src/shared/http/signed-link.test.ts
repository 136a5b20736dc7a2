import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isSigned, opensPath, signPath, signPathUntil } from "./signed-link.ts";

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

test("API-9: a link for a while opens until its second and never after, and its end cannot be moved or left out", () => {
  const now = new Date("2026-11-21T03:04:05.678Z");
  const at = (shift: number) => new Date(now.getTime() + shift);
  const signed = signPathUntil(secret, path, at(600_000));
  const { searchParams } = new URL(signed, "https://give.example");
  const [key, until] = [searchParams.get("key")!, searchParams.get("until")!];
  expect(opensPath(secret, path, { key, until }, now)).toBe(true);
  expect(opensPath(secret, path, { key, until }, at(598_000))).toBe(true);
  for (const shift of [600_000, 86_400_000]) expect(opensPath(secret, path, { key, until }, at(shift))).toBe(false);
  for (const wrong of [undefined, "", "9999999999", `${until}0`, ` ${until}`, `0${until}`, Number(until), [until]]) {
    expect(opensPath(secret, path, { key, until: wrong }, now), String(wrong)).toBe(false);
  }
  expect(opensPath(secret, `${path}0`, { key, until }, now)).toBe(false);
  expect(opensPath(secret, path, { until }, now)).toBe(false);
});

test("API-9: a link for good still opens its path, and an end cannot be added to it", () => {
  const key = keyIn(signPath(secret, path));
  expect(opensPath(secret, path, { key }, new Date())).toBe(true);
  expect(opensPath(secret, path, { key, until: "9999999999" }, new Date())).toBe(false);
});
