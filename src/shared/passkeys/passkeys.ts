import { createHmac } from "node:crypto";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { COSEALG, decodeClientDataJSON } from "@simplewebauthn/server/helpers";
import { isSameSecret } from "#shared/http/same-secret.ts";
import { CHALLENGE_LIFE_MS } from "./challenges.ts";
import type { NewPasskey, PasskeyOptions, UsedPasskey } from "./contract.ts";

// What members' and staff's log-ins do alike with passkeys. Whose they are, and where they are kept, is the caller's.

type Site = { readonly publicUrl: string };

/** Passkeys belong to the site's host (WebAuthn's RP ID) and are used at its origin. */
function partyOf({ publicUrl }: Site) {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

/** Whether pages may offer passkeys: browsers refuse them where the site's host is an IP address. */
export function hasPasskeys(site: Site): boolean {
  return !/^[\d.]+$|^\[/.test(partyOf(site).id);
}

// Every browser knows these three. Named here, because the library's own list depends on the version of Node.
const algorithms = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

/** The name that devices keep an account under: says nothing of whose it is to anybody else. */
export function userHandleOf(secretKey: string, kind: "member" | "staff", id: number): string {
  return createHmac("sha256", secretKey).update(`passkey user\n${kind}\n${id}`).digest("base64url");
}

type Newcomer = {
  readonly handle: string;
  /** What the device shows beside the passkey. */
  readonly email: string;
  readonly fullName: string;
  readonly siteName: string;
  /** The account's passkeys: no device makes a second one. */
  readonly existing: readonly { readonly credentialId: string; readonly transports: readonly string[] }[];
};

/** What a browser makes a passkey from: one that is found without an email, and that verifies the person. */
export async function makeCreationOptions(
  site: Site,
  { handle, email, fullName, siteName, existing }: Newcomer,
  challenge: string,
): Promise<PasskeyOptions> {
  const options = await generateRegistrationOptions({
    rpID: partyOf(site).id,
    rpName: siteName,
    userID: bytesOf(handle),
    userName: email,
    userDisplayName: fullName,
    challenge: bytesOf(challenge),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: existing.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
    supportedAlgorithmIDs: algorithms,
  });
  return { ...options };
}

/** What a browser uses a passkey with: any that the person has for this site. */
export async function makeRequestOptions(site: Site, challenge: string): Promise<PasskeyOptions> {
  const options = await generateAuthenticationOptions({
    rpID: partyOf(site).id,
    challenge: bytesOf(challenge),
    timeout: CHALLENGE_LIFE_MS,
    userVerification: "required",
  });
  return { ...options };
}

/** The challenge that an answer says it belongs to; empty when it cannot be read. */
export function challengeOf({ response }: NewPasskey | UsedPasskey): string {
  try {
    const { challenge } = decodeClientDataJSON(response.clientDataJSON);
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}

type VerifiedPasskey = {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  /** The model of the device or password manager, where it says. */
  readonly aaguid: string;
};

/** Reads a new passkey. Null unless it was made on this site, for this challenge, by a person who was verified. */
export async function verifyNewPasskey(
  site: Site,
  made: NewPasskey,
  challenge: string,
): Promise<VerifiedPasskey | null> {
  const { id, origin } = partyOf(site);
  // The library throws for whatever is wrong, down to bytes that cannot be read.
  const verified = await verifyRegistrationResponse({
    response: { ...made, response: withoutUndefined(made.response), clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { credential, aaguid } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
    aaguid,
  };
}

type KeptPasskey = { readonly credentialId: string; readonly publicKey: Buffer; readonly userHandle: string };

/**
 * Verifies a signature by a kept passkey and reads its counter; null unless all of it is right. The counter is not judged
 * here but by `doesCounterRise`, behind the signature: else anybody could have a passkey blocked with a made-up one.
 */
export async function verifyUsedPasskey(
  site: Site,
  used: UsedPasskey,
  kept: KeptPasskey,
  challenge: string,
): Promise<{ readonly counter: number } | null> {
  if (!isSameSecret(used.response.userHandle, kept.userHandle)) return null;
  const { id, origin } = partyOf(site);
  const verified = await verifyAuthenticationResponse({
    response: { ...used, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    // With 0 the library accepts any counter.
    credential: { id: kept.credentialId, publicKey: new Uint8Array(kept.publicKey), counter: 0 },
  }).catch(() => null);
  return verified?.verified ? { counter: verified.authenticationInfo.newCounter } : null;
}

/**
 * A device that counts says a higher number each time; one that does not always says 0, as passkeys do that are synced.
 * A number that does not rise means that a copy of the passkey was used.
 */
export function doesCounterRise(kept: number, sent: number): boolean {
  return sent > kept || (sent === 0 && kept === 0);
}

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, "base64url"));

function withoutUndefined({ transports, ...response }: NewPasskey["response"]) {
  return transports === undefined ? response : { ...response, transports };
}
