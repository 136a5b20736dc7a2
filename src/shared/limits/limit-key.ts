import { createHmac } from "node:crypto";
import { subnetOf } from "#shared/http/client-address.ts";

type CountedBy = "address" | "browser" | "email" | "user" | "device" | "application" | "document";

/**
 * The key in `rate_limits`, hashed with the site's secret, so that addresses cannot be guessed from the table. An IPv6
 * /64, and all spellings of an email address, share one key.
 */
export function limitKey(secretKey: string, purpose: string, by: CountedBy, value: string): string {
  const counted = by === "address" ? subnetOf(value) : by === "email" ? value.trim().toLowerCase() : value;
  return createHmac("sha256", secretKey).update(`${purpose} ${by} ${counted}`).digest("base64url");
}
