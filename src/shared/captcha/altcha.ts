import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { createChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { z } from "zod";
import { actionsOnSuspicion, type Captcha, type CaptchaAction, type CaptchaVerdict } from "./captcha.ts";

/** Long enough for a slow donor to fill in the card after the captcha is solved. */
const LIFE_MS = 20 * 60_000;
/** A real payload has about 700 characters; nothing longer is decoded. */
const MAX_TOKEN_LENGTH = 4096;

/** Proof of work, verified without another service. Only the signed challenge counts: nonce, cost, expiry, action. */
export function createAltcha({ cost, secretKey }: { cost: number; secretKey: string }): Captcha {
  const secrets = altchaSecrets(secretKey);
  return {
    provider: "altcha",
    publicConfig: () => ({ provider: "altcha", challengeUrl: "/api/captcha" }),
    origins: () => ({ script: [], frame: [], connect: [], style: [] }),
    createChallenge: ({ action, effort, now }) =>
      createChallenge({
        algorithm: "PBKDF2/SHA-256",
        cost,
        // More keys rather than harder ones: a challenge costs the server one key, whatever the effort.
        counter: pickCounter(cost) * effort,
        deriveKey,
        // Not ALTCHA's own `expiresAt`, which depends on the clocks of this machine and of the visitor's device.
        data: { action, effort, until: now.getTime() + LIFE_MS },
        ...secrets,
      }),
    verify: async (token, { action, now }): Promise<CaptchaVerdict> => {
      if (!token) return { ok: false, reason: "missing" };
      const payload = readPayload(token);
      if (payload === null) return { ok: false, reason: "invalid" };
      const { parameters } = payload.challenge;
      const { effort, until } = parameters.data;
      if (!isSolved(payload, secrets) || typeof effort !== "number" || typeof until !== "number")
        return { ok: false, reason: "invalid" };
      if (until < now.getTime()) return { ok: false, reason: "expired" };
      if (!serves(parameters.data.action, action)) return { ok: false, reason: "invalid" };
      return { ok: true, nonce: parameters.nonce, effort };
    },
  };
}

/** A donation's captcha is what programs get that name no action. It has at least the work of any other form's. */
const serves = (made: unknown, action: CaptchaAction) =>
  made === action || (made === "donate" && !actionsOnSuspicion.includes(action));

/**
 * Checks what `verifySolution` of altcha-lib does: our signature of the challenge, and of the key that a solver finds.
 * The library's web cryptography goes through other threads, and takes the thread that answers five times as long.
 */
function isSolved(
  { challenge: { parameters, signature }, solution }: z.output<typeof Payload>,
  { hmacSignatureSecret, hmacKeySignatureSecret }: ReturnType<typeof altchaSecrets>,
): boolean {
  const isSigned = (hex: string, data: string | Buffer, secret: string) =>
    timingSafeEqual(Buffer.from(hex, "hex"), createHmac("sha256", secret).update(data).digest());
  return (
    isSigned(signature, canonicalJson(parameters), hmacSignatureSecret) &&
    isSigned(parameters.keySignature, Buffer.from(solution.derivedKey, "hex"), hmacKeySignatureSecret)
  );
}

/** With the keys in order, as ALTCHA signs it. */
function canonicalJson(signed: object): string {
  return JSON.stringify(signed, (_, part) =>
    part === null || typeof part !== "object"
      ? part
      : Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
}

/** Keys for this captcha only, so that neither signs anything else. */
export function altchaSecrets(secretKey: string) {
  const derive = (purpose: string) => createHmac("sha256", secretKey).update(purpose).digest("hex");
  return { hmacSignatureSecret: derive("captcha challenge"), hmacKeySignatureSecret: derive("captcha key") };
}

/** Keys that a solver derives: about 0.7 s in a browser at cost 2000, milliseconds at the costs in tests. */
function pickCounter(cost: number): number {
  return cost < 100 ? randomInt(1, 51) : randomInt(1000, 3001);
}

const Signature = z.string().regex(/^[0-9a-f]{64}$/);

// `looseObject`, because the signature covers every field, so nothing in `parameters` may be stripped.
const Payload = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.literal("PBKDF2/SHA-256"),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      keySignature: Signature,
      data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
    signature: Signature,
  }),
  solution: z.object({ counter: z.int().nonnegative(), derivedKey: z.string().regex(/^([0-9a-f]{2})+$/) }),
});

function readPayload(token: string): z.output<typeof Payload> | null {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  try {
    return Payload.safeParse(JSON.parse(Buffer.from(token, "base64").toString("utf8"))).data ?? null;
  } catch {
    return null;
  }
}
