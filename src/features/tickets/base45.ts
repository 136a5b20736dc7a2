/** Base45 (RFC 9285): bytes in the letters that a QR code packs tightest. */

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

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

/** Null for a text that no bytes are written as. */
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
