import { createHmac } from "node:crypto";
import { DAY_MS } from "#shared/day-length.ts";
import type { Settings } from "../settings.ts";

type Keys = Pick<Settings["braintree"], "merchantId" | "privateKey">;

/** Braintree's sandbox, the only host that the browser's SDK accepts in its configuration. */
const GATEWAY = "https://api.sandbox.braintreegateway.com:443";

const LIFE_MS = DAY_MS;

/** The base of the browser's calls, as the real SDK gets it. The simulator serves the same paths below `/braintree`. */
export function clientApiUrl(merchantId: string): string {
  return `${GATEWAY}/merchants/${merchantId}/client_api`;
}

/**
 * The value of `client_token` that the gateway gives to a page, in base64. It names the sandbox, as a real one does: the
 * simulator's scripts call the simulator instead, and journeys route that host to it. It is valid for 24 hours of the
 * simulator's clock; `now` is in milliseconds.
 */
export function describeClientToken({ merchantId, privateKey }: Keys, now: number): string {
  const token = {
    version: 2,
    environment: "sandbox",
    authorizationFingerprint: sign(now + LIFE_MS, merchantId, privateKey),
    configUrl: `${clientApiUrl(merchantId)}/v1/configuration`,
    merchantId,
  };
  return Buffer.from(JSON.stringify(token)).toString("base64");
}

/** Whether this fingerprint is from one of our client tokens that is still valid. */
export function isAuthorised(fingerprint: string, { merchantId, privateKey }: Keys, now: number): boolean {
  const expiry = Number.parseInt(fingerprint.split(".")[0] ?? "", 36);
  return expiry > now && fingerprint === sign(expiry, merchantId, privateKey);
}

function sign(expiry: number, merchantId: string, privateKey: string): string {
  const signature = createHmac("sha256", privateKey).update(`${merchantId}|${expiry}`).digest("base64url");
  return `${expiry.toString(36)}.${signature}`;
}
