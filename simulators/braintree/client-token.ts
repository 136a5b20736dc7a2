import { createHmac } from "node:crypto";
import type { Settings } from "../settings.ts";

type Keys = Pick<Settings["braintree"], "merchantId" | "privateKey">;

/** Braintree's sandbox, which the browser's SDK insists on: no other host may stand in its configuration. */
const GATEWAY = "https://api.sandbox.braintreegateway.com:443";

const LIFE_MS = 24 * 3_600_000;

/** Where the browser's calls begin, as the real SDK is told. The simulator serves the same paths below `/braintree`. */
export function clientApiUrl(merchantId: string): string {
  return `${GATEWAY}/merchants/${merchantId}/client_api`;
}

/**
 * The value of `client_token`: what the gateway hands to a page, in base64. It names the sandbox, as a real one does: the
 * simulator's own scripts ask the simulator for the same path instead, and a journey routes that host to it. It holds for
 * 24 hours of the simulator's clock; `now` is in milliseconds.
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

/** Whether this fingerprint came in a client token of ours that still holds. */
export function isAuthorised(fingerprint: string, { merchantId, privateKey }: Keys, now: number): boolean {
  const expiry = Number.parseInt(fingerprint.split(".")[0] ?? "", 36);
  return expiry > now && fingerprint === sign(expiry, merchantId, privateKey);
}

function sign(expiry: number, merchantId: string, privateKey: string): string {
  const signature = createHmac("sha256", privateKey).update(`${merchantId}|${expiry}`).digest("base64url");
  return `${expiry.toString(36)}.${signature}`;
}
