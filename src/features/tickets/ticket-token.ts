import { base32Digits } from "#shared/base32.ts";

/** What a ticket's QR code claims; `serial` as 16 hexadecimal digits. */
type TicketClaim = { readonly eventId: number; readonly typeId: number; readonly serial: string };

/** A claim with its signed bytes and their signature; not verified yet. */
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
 * The 17 signed bytes: version, event (4 bytes), type (4 bytes), serial (8 bytes), big-endian.
 * @throws RangeError if an id does not fit, or the serial has another length.
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
      throw new RangeError(`The number ${number} does not fit into a ticket.`);
    }
  }
  if (serial.length !== SERIAL_BYTES) throw new RangeError(`A ticket's serial must have ${SERIAL_BYTES} bytes.`);
  const payload = new Uint8Array(PAYLOAD_BYTES);
  const view = new DataView(payload.buffer);
  view.setUint8(0, version);
  view.setUint32(1, eventId);
  view.setUint32(5, typeId);
  payload.set(serial, 9);
  return payload;
}

/** The text of a QR code. The number of bytes is odd, so it never ends in a space, which scanners tend to drop. */
export function writeToken(payload: Uint8Array, signature: Uint8Array): string {
  const bytes = new Uint8Array(payload.length + signature.length);
  bytes.set(payload);
  bytes.set(signature, payload.length);
  return prefix + toBase45(bytes);
}

/** Parses a QR code's text without verifying it; null if it is not in the form of our tickets. */
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
 * The claim in a QR code's text if the key signed it; null otherwise. Works offline.
 * @param publicKey Ed25519, raw, base64url, as the server publishes it.
 * @throws if the device does not support Ed25519 or the key is invalid; that says nothing about the ticket.
 */
export async function verifyToken(publicKey: string, text: string): Promise<TicketClaim | null> {
  const token = readToken(text);
  if (token === null) return null;
  const { payload, signature, ...claim } = token;
  const jwk = { kty: "OKP", crv: "Ed25519", x: publicKey };
  const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]);
  return (await crypto.subtle.verify("Ed25519", key, signature, payload)) ? claim : null;
}

/** The number on the ticket, from the first 40 bits of its serial: 'K7Q2-M9XW'. */
export function ticketNumber(serial: Uint8Array): string {
  let bits = 0n;
  for (const byte of serial.subarray(0, 5)) bits = bits * 256n + BigInt(byte);
  const text = Array.from({ length: 8 }, (_, index) =>
    base32Digits.charAt(Number((bits >> BigInt(35 - 5 * index)) & 31n)),
  );
  return `${text.slice(0, 4).join("")}-${text.slice(4).join("")}`;
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

/** Base45 as in RFC 9285: QR codes hold it in their denser mode. */
export function toBase45(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < bytes.length; index += 2) {
    const isPair = index + 1 < bytes.length;
    let value = isPair ? bytes[index]! * 256 + bytes[index + 1]! : bytes[index]!;
    for (let letter = 0; letter < (isPair ? 3 : 2); letter++) {
      text += alphabet.charAt(value % 45);
      value = Math.floor(value / 45);
    }
  }
  return text;
}

/** Null if the text is not valid base45. */
export function fromBase45(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 3 === 1) return null;
  const bytes: number[] = [];
  for (let index = 0; index < text.length; index += 3) {
    const letters = [...text.slice(index, index + 3)].map((letter) => alphabet.indexOf(letter));
    const value = letters.reduceRight((sum, letter) => sum * 45 + letter, 0);
    const isPair = letters.length === 3;
    if (letters.includes(-1) || value > (isPair ? 0xffff : 0xff)) return null;
    bytes.push(...(isPair ? [value >> 8, value & 0xff] : [value]));
  }
  return new Uint8Array(bytes);
}
