import { fromBase45, toBase45 } from "./base45.ts";

/** What a ticket's QR code says of it; `serial` as 16 hexadecimal digits. */
export type TicketClaim = { readonly eventId: number; readonly typeId: number; readonly serial: string };

/** A claim with the bytes that are signed and their signature; not yet verified. */
type ReadToken = TicketClaim & {
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
};

const prefix = "AT1:";
const version = 1;
const SERIAL_BYTES = 8;
const PAYLOAD_BYTES = 9 + SERIAL_BYTES;
const SIGNATURE_BYTES = 64;

/**
 * The 17 bytes that are signed: version, event (4 bytes), type (4 bytes), serial (8 bytes), highest byte first.
 * @throws RangeError for a number that does not fit, or a serial of another length.
 */
export function ticketPayload({
  eventId,
  typeId,
  serial,
}: {
  eventId: number;
  typeId: number;
  serial: Uint8Array;
}): Uint8Array<ArrayBuffer> {
  for (const number of [eventId, typeId]) {
    if (!Number.isInteger(number) || number < 0 || number > 0xffff_ffff) {
      throw new RangeError(`A ticket has no room for the number ${number}.`);
    }
  }
  if (serial.length !== SERIAL_BYTES) throw new RangeError(`A ticket's serial has ${SERIAL_BYTES} bytes.`);
  const payload = new Uint8Array(PAYLOAD_BYTES);
  const view = new DataView(payload.buffer);
  view.setUint8(0, version);
  view.setUint32(1, eventId);
  view.setUint32(5, typeId);
  payload.set(serial, 9);
  return payload;
}

/** The text of a QR code. An odd number of bytes, so that it never ends in a space, which scanners like to cut off. */
export function writeToken(payload: Uint8Array, signature: Uint8Array): string {
  const bytes = new Uint8Array(payload.length + signature.length);
  bytes.set(payload);
  bytes.set(signature, payload.length);
  return prefix + toBase45(bytes);
}

/** Takes a QR code's text apart without believing it; null for what is no ticket of ours in form. */
export function readToken(text: string): ReadToken | null {
  if (!text.startsWith(prefix) || text.length > 200) return null;
  const bytes = fromBase45(text.slice(prefix.length));
  if (bytes?.length !== PAYLOAD_BYTES + SIGNATURE_BYTES || bytes[0] !== version) return null;
  const view = new DataView(bytes.buffer);
  return {
    eventId: view.getUint32(1),
    typeId: view.getUint32(5),
    serial: hex(bytes.subarray(9, PAYLOAD_BYTES)),
    payload: bytes.slice(0, PAYLOAD_BYTES),
    signature: bytes.slice(PAYLOAD_BYTES),
  };
}

/**
 * What a QR code's text claims, if the key signed it; null for anything else. Needs no network.
 * @param publicKey Ed25519, raw, base64url, as the server hands it out.
 * @throws where the device has no Ed25519, or the key is none: neither says anything about the ticket.
 */
export async function verifyToken(publicKey: string, text: string): Promise<TicketClaim | null> {
  const token = readToken(text);
  if (token === null) return null;
  const { payload, signature, ...claim } = token;
  const jwk = { kty: "OKP", crv: "Ed25519", x: publicKey };
  const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]);
  return (await crypto.subtle.verify("Ed25519", key, signature, payload)) ? claim : null;
}

// Crockford's base 32, as in references: nothing that is misheard on the telephone.
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The number on the ticket, from the first 40 bits of its serial: 'K7Q2-M9XW'. */
export function ticketNumber(serial: Uint8Array): string {
  let bits = 0n;
  for (const byte of serial.subarray(0, 5)) bits = bits * 256n + BigInt(byte);
  const text = Array.from({ length: 8 }, (_, index) => letters.charAt(Number((bits >> BigInt(35 - 5 * index)) & 31n)));
  return `${text.slice(0, 4).join("")}-${text.slice(4).join("")}`;
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
