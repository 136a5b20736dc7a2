import { createHmac } from "node:crypto";
import { isSameSecret } from "#shared/http/same-secret.ts";
import { CHALLENGE_LIFE_MS } from "./challenges.ts";
import type { NewPasskey, PasskeyOptions, UsedPasskey } from "./contract.ts";

// Passkeys for the log-ins of both members and staff; the callers store them and know whose they are.

/** Loaded when first needed: it takes a tenth of a second, and 26 MB. */
const loadWebAuthn = () => import("@simplewebauthn/server");

type Site = { readonly publicUrl: string };

/** A passkey belongs to the site's host (WebAuthn's RP ID) and is used at its origin. */
function partyOf({ publicUrl }: Site) {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

/** The host that this site's passkeys belong to. */
export const passkeyHost = (site: Site): string => partyOf(site).id;

/** Whether pages may offer passkeys: browsers refuse them if the host is an IP address. */
export function hasPasskeys(site: Site): boolean {
  return !/^[\d.]+$|^\[/.test(partyOf(site).id);
}

/**
 * EdDSA, ES256 and RS256 (COSE), which every browser supports. Listed, because the library's default depends on the
 * version of Node.
 */
const algorithms = [-8, -7, -257];

/** The user handle that devices store; it identifies the account to nobody else. */
export function userHandleOf(secretKey: string, kind: "member" | "staff", id: number): string {
  return createHmac("sha256", secretKey).update(`passkey user\n${kind}\n${id}`).digest("base64url");
}

type Newcomer = {
  readonly handle: string;
  /** Shown by the device beside the passkey. */
  readonly email: string;
  readonly fullName: string;
  readonly siteName: string;
  /** The account's passkeys, so that no device creates a second one. */
  readonly existing: readonly { readonly credentialId: string; readonly transports: readonly string[] }[];
};

/** Options for a passkey that is found without an email address and verifies the person. */
export async function makeCreationOptions(
  site: Site,
  { handle, email, fullName, siteName, existing }: Newcomer,
  challenge: string,
): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await loadWebAuthn();
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

/** Options for using any of the person's passkeys for this site. */
export async function makeRequestOptions(site: Site, challenge: string): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: partyOf(site).id,
    challenge: bytesOf(challenge),
    timeout: CHALLENGE_LIFE_MS,
    userVerification: "required",
  });
  return { ...options };
}

/** The challenge in an answer; empty if it cannot be read. */
export function challengeOf({ response }: NewPasskey | UsedPasskey): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString()) as {
      challenge?: unknown;
    };
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
  /** The model of the device or password manager, if known. */
  readonly aaguid: string;
};

/** Null unless the passkey was created on this site, for this challenge, by a verified person. */
export async function verifyNewPasskey(
  site: Site,
  made: NewPasskey,
  challenge: string,
): Promise<VerifiedPasskey | null> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const { id, origin } = partyOf(site);
  // The library throws for any problem, including unreadable bytes.
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
 * Verifies a signature by a stored passkey and returns its counter; null unless everything is valid. `doesCounterRise`
 * judges the counter afterwards: otherwise anybody could block a passkey with a made-up one.
 */
export async function verifyUsedPasskey(
  site: Site,
  used: UsedPasskey,
  kept: KeptPasskey,
  challenge: string,
): Promise<{ readonly counter: number } | null> {
  if (!isSameSecret(used.response.userHandle, kept.userHandle)) return null;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { id, origin } = partyOf(site);
  const verified = await verifyAuthenticationResponse({
    response: { ...used, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    // With 0, the library accepts any counter.
    credential: { id: kept.credentialId, publicKey: new Uint8Array(kept.publicKey), counter: 0 },
  }).catch(() => null);
  return verified?.verified ? { counter: verified.authenticationInfo.newCounter } : null;
}

/**
 * Counting devices send a higher number each time; others, such as synced passkeys, always send 0. A number that does
 * not rise means that a copy of the passkey was used.
 */
export function doesCounterRise(kept: number, sent: number): boolean {
  return sent > kept || (sent === 0 && kept === 0);
}

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, "base64url"));

function withoutUndefined({ transports, ...response }: NewPasskey["response"]) {
  return transports === undefined ? response : { ...response, transports };
}
