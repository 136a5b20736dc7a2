import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from "node:crypto";

/** The key that tickets are signed with. Whoever has `publicKey` (raw, base64url) verifies them without the server. */
export type TicketKey = { sign(bytes: Uint8Array): Buffer; readonly publicKey: string };

// Keeps the key from being one that the secret gives for any other purpose.
const purpose = "almoner ticket key 1";
/** What stands before the 32 bytes of an Ed25519 seed in PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

const known = new Map<string, TicketKey>();

/** The Ed25519 key of this house, always the same for the same secret. */
export function ticketKey(secretKey: string): TicketKey {
  const kept = known.get(secretKey);
  if (kept !== undefined) return kept;
  const seed = Buffer.from(hkdfSync("sha256", secretKey, "", purpose, 32));
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: "der", type: "pkcs8" });
  const made = { sign: (bytes: Uint8Array) => sign(null, bytes, key), publicKey: rawPublicKey(key) };
  known.set(secretKey, made);
  return made;
}

function rawPublicKey(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: "jwk" });
  if (x === undefined) throw new Error("An Ed25519 key without its point.");
  return x;
}
