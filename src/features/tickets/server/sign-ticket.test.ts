import fc from "fast-check";
import { create } from "qrcode";
import { expect, test } from "vitest";
import { longTest } from "#test/long-test.ts";
import { fromBase45, readToken, ticketNumber, toBase45, verifyToken, writeToken } from "../ticket-token.ts";
import { signTicket } from "./order-facts.ts";
import { readTicketNumber } from "./staff/order-filter.ts";
import { ticketKey } from "./ticket-key.ts";

const secret = "a-secret-of-at-least-thirty-two-characters";
const { publicKey } = ticketKey(secret);
const number = fc.integer({ min: 0, max: 0xffff_ffff });
const ticket = fc.record({
  eventId: number,
  typeId: number,
  serial: fc.uint8Array({ minLength: 8, maxLength: 8 }),
});
const amina = { eventId: 7, typeId: 3, serial: Buffer.from("0123456789abcdef", "hex") };

/** Converts a token's text to bytes and back. */
const bytesOf = (token: string) => fromBase45(token.slice("AT1:".length))!;
const tokenOf = (bytes: Uint8Array) => writeToken(bytes.subarray(0, 17), bytes.subarray(17));

test("TIC-6: base45 matches the examples of RFC 9285", () => {
  for (const [plain, written] of [
    ["AB", "BB8"],
    ["Hello!!", "%69 VD92EX0"],
    ["base-45", "UJCLQE7W581"],
    ["ietf!", "QED8WEX0"],
    ["", ""],
  ] as const) {
    expect(toBase45(Buffer.from(plain))).toBe(written);
    expect(Buffer.from(fromBase45(written)!).toString()).toBe(plain);
  }
  for (const wrong of ["A", "GGW", ":::", "::", "bb8", "BB8B", "B€8", "\ud83d\ude00A"]) {
    expect(fromBase45(wrong), wrong).toBeNull();
  }
});

test("TIC-6: every signed ticket is verified, with its contents", async () => {
  await fc.assert(
    fc.asyncProperty(ticket, async (one) => {
      const token = signTicket(secret, one);
      expect(await verifyToken(publicKey, token)).toEqual({
        eventId: one.eventId,
        typeId: one.typeId,
        serial: Buffer.from(one.serial).toString("hex"),
      });
      expect(tokenOf(bytesOf(token))).toBe(token);
      expect(token).toMatch(/^AT1:[0-9A-Z $%*+./:-]{121}[0-5]$/);
    }),
  );
});

test("TIC-6: a ticket with any bit flipped is refused", async () => {
  const bytes = bytesOf(signTicket(secret, amina));
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const turned = Uint8Array.from(bytes);
    turned[bit >> 3]! ^= 1 << (bit & 7);
    expect(await verifyToken(publicKey, tokenOf(turned)), `bit ${bit}`).toBeNull();
  }
});

test("TIC-6: no text with a changed letter passes for a ticket", async () => {
  const token = signTicket(secret, amina);
  const place = fc.integer({ min: 0, max: token.length - 1 });
  const letter = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:");
  await fc.assert(
    fc.asyncProperty(place, letter, async (at, other) => {
      fc.pre(token[at] !== other);
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(await verifyToken(publicKey, changed)).toBeNull();
    }),
    { numRuns: 300 },
  );
});

test("TIC-6: another site's ticket is refused, and each secret has its own key", async () => {
  await fc.assert(
    fc.asyncProperty(ticket, fc.string({ minLength: 32 }), async (one, other) => {
      fc.pre(other !== secret);
      expect(ticketKey(other).publicKey).not.toBe(publicKey);
      expect(await verifyToken(publicKey, signTicket(other, one))).toBeNull();
    }),
    { numRuns: 50 },
  );
  expect(ticketKey(secret)).toBe(ticketKey(secret));
  // A different key would invalidate every ticket already sent.
  expect(publicKey).toBe("osZzR8FA6INschfTwkI_-7JB0blOEI3IQ9eAGfQ4sWI");
});

longTest("TIC-6: anything that is not a ticket is refused and breaks nothing", async () => {
  const token = signTicket(secret, amina);
  const bad = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(..."AT1: $%*+-./0Z"), maxLength: 300 }),
    fc
      .string({ unit: fc.constantFrom(..."AT1: $%*+-./0Z"), minLength: 122, maxLength: 122 })
      .map((end) => `AT1:${end}`),
    fc.uint8Array({ minLength: 81, maxLength: 81 }).map(tokenOf),
    fc.nat(token.length - 1).map((end) => token.slice(0, end)),
  );
  await fc.assert(
    fc.asyncProperty(bad, async (text) => {
      expect(await verifyToken(publicKey, text)).toBeNull();
    }),
    { numRuns: 500 },
  );
  for (const text of [token.toLowerCase(), ` ${token}`, `${token} `, `${token}0`, token.replace("AT1", "AT2")]) {
    expect(readToken(text), text).toBeNull();
  }
});

test("TIC-6: an invalid key is reported as such, without a word about the ticket", async () => {
  await expect(verifyToken("nonsense", signTicket(secret, amina))).rejects.toThrow();
});

test("TIC-6: values that do not fit into a ticket cannot be signed", () => {
  for (const wrong of [{ eventId: 2 ** 32 }, { typeId: -1 }, { typeId: 1.5 }, { serial: new Uint8Array(7) }]) {
    expect(() => signTicket(secret, { ...amina, ...wrong })).toThrow(RangeError);
  }
});

test("TIC-6: a ticket's number is eight letters of its serial, each of the 40 bits counting", () => {
  expect(ticketNumber(new Uint8Array(8))).toBe("0000-0000");
  expect(ticketNumber(new Uint8Array(8).fill(255))).toBe("ZZZZ-ZZZZ");
  expect(ticketNumber(amina.serial)).toBe("04HM-ASW9");
  const numbers = Array.from({ length: 40 }, (_, bit) => {
    const serial = new Uint8Array(8);
    serial[bit >> 3]! |= 128 >> (bit & 7);
    return ticketNumber(serial);
  });
  expect(new Set(numbers).size).toBe(40);
});

test("ORD-1: staff find a ticket by its number as it was heard or typed, with O, I or L for a digit", () => {
  const { from, to } = readTicketNumber("04HM-ASW9")!;
  expect([from, to].map((serial) => ticketNumber(serial))).toEqual(["04HM-ASW9", "04HM-ASW9"]);
  expect(readTicketNumber("o4hmasw9")).toEqual({ from, to });
  expect(readTicketNumber("I0L0-0000")).toEqual(readTicketNumber("1010-0000"));
  for (const typed of ["04HM-ASWU", "04HM-ASW", "04HM ASW9"]) expect(readTicketNumber(typed), typed).toBeNull();
});

test("TIC-6: a ticket's QR code is small enough to be read from a bad print", () => {
  const versions = new Set<number>();
  fc.assert(
    fc.property(ticket, (one) => {
      const code = create(signTicket(secret, one), { errorCorrectionLevel: "M" });
      versions.add(code.version);
      expect(code.version).toBeLessThanOrEqual(8);
    }),
    { numRuns: 30 },
  );
  console.info(`QR code versions with error correction M: ${[...versions]}`);
});
