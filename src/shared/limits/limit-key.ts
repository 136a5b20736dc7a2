import { createHmac } from "node:crypto";
import { subnetOf } from "#shared/http/client-address.ts";

type CountedBy = "address" | "browser" | "email" | "user" | "device" | "application" | "document";

/**
 * Under which key of `rate_limits` somebody is counted. Hashed with the site's secret, so that the table cannot be
 * turned back into addresses by trying them all. All of an IPv6 /64, and all spellings of an e-mail address, are one.
 */
export function limitKey(secretKey: string, purpose: string, by: CountedBy, value: string): string {
  const counted = by === "address" ? subnetOf(value) : by === "email" ? value.trim().toLowerCase() : value;
  return createHmac("sha256", secretKey).update(`${purpose} ${by} ${counted}`).digest("base64url");
}
