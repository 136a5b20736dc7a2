import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keyOf, opensPath, readKey, signPath } from "./signed-link.ts";

const secret = "a-secret-of-at-least-thirty-two-characters";
const path = "/receipts/7d8a3ab2-0c1e-4a64-9d0e-3f0c6b1f6a01";
const madeAt = new Date("2026-11-21T03:04:05.678Z");
const at = (shift: number) => new Date(madeAt.getTime() + shift);
const times = { madeAt, until: at(600_000) };
const key = keyOf(secret, path, times);

test("API-9: a signed link opens only its path, and only under its secret", () => {
  expect(signPath(secret, path, times)).toBe(`${path}?key=${key}`);
  expect(key).toMatch(/^[\da-z]{8}\.[\da-z]{8}\.[\w-]{43}$/);
  expect(readKey(secret, path, key)).toEqual(times);
  expect(opensPath(secret, path, key, madeAt)).toBe(true);
  expect(readKey(secret, `${path}0`, key)).toBeNull();
  expect(readKey(`${secret}2`, path, key)).toBeNull();
});

test("API-9: a key made from the secret for another purpose opens nothing", () => {
  const [made, until] = key.split(".");
  for (const text of [path, `${made}.${until}\n${path}`]) {
    const other = createHmac("sha256", secret).update(text).digest("base64url");
    expect(readKey(secret, path, `${made}.${until}.${other}`)).toBeNull();
  }
});

test("API-9: no other value opens a path, whatever its type or length", () => {
  for (const wrong of [undefined, null, "", key.slice(1), `${key}=`, `${key} `, `0${key}`, [key], { key }, 0]) {
    expect(readKey(secret, path, wrong)).toBeNull();
  }
  fc.assert(fc.property(fc.string(), (guess) => guess === key || readKey(secret, path, guess) === null));
});

test("SEC-8: a link opens until its end and never after, and its times can be neither changed nor left out", () => {
  expect(opensPath(secret, path, key, at(599_999))).toBe(true);
  for (const shift of [600_000, 86_400_000]) expect(opensPath(secret, path, key, at(shift))).toBe(false);
  const [made = "", until = "", signature = ""] = key.split(".");
  const later = at(86_400_000).getTime().toString(36);
  for (const parts of [
    [made, later, signature],
    [later, until, signature],
    [until, made, signature],
    [made.toUpperCase(), until, signature],
    ["zzzzzzzz", "zzzzzzzz", signature],
    [until, signature],
    [signature],
  ]) {
    expect(readKey(secret, path, parts.join(".")), parts.join(".")).toBeNull();
  }
});
