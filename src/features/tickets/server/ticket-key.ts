import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from "node:crypto";

/** The key that signs tickets. With `publicKey` (raw, base64url) anyone can verify them offline. */
type TicketKey = { sign(bytes: Uint8Array): Buffer; readonly publicKey: string };

// Separates this key from others derived from the same secret.
const purpose = "almoner ticket key 1";
/** The PKCS #8 header before the 32 bytes of an Ed25519 seed (RFC 8410). */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

const known = new Map<string, TicketKey>();

/** The site's Ed25519 key, derived from its secret. */
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
  if (x === undefined) throw new Error("The Ed25519 key has no public point.");
  return x;
}
