import { readBase32 } from "#shared/base32.ts";
import type { DoorList, DoorScan, DoorTicket, KnownScan } from "./door-contract.ts";
import { readToken, verifyToken } from "./ticket-token.ts";

/** What a phone says about a code or a name. */
export type Verdict =
  /** `ticket` is null if it was sold after the phone got its list: the signature vouches for it. */
  | { readonly kind: "welcome"; readonly serial: string; readonly ticket: DoorTicket | null }
  | { readonly kind: "already"; readonly serial: string; readonly ticket: DoorTicket | null; readonly scan: KnownScan }
  | { readonly kind: "cancelled"; readonly ticket: DoorTicket }
  /** `event` is null if it is none of those that the phone knows. */
  | { readonly kind: "other_event"; readonly event: DoorList["otherEvents"][number] | null }
  /** A code of ours of which a part is missing. */
  | { readonly kind: "damaged" }
  /** Made by somebody else, or by nobody. */
  | { readonly kind: "not_ours" }
  /** This browser cannot verify signatures, and the ticket is not on its list. */
  | { readonly kind: "not_listed" }
  /** The phone could not keep the scan on its disk. */
  | { readonly kind: "not_kept" };

/** For each ticket the scans that let its holder in and were not undone, the first to arrive first. */
export type Admissions = ReadonlyMap<string, readonly KnownScan[]>;

export function listAdmissions(scans: readonly KnownScan[]): Admissions {
  const undone = new Set(scans.map(({ undoes }) => undoes));
  const admissions = new Map<string, KnownScan[]>();
  for (const scan of scans) {
    if (scan.undoes !== null || undone.has(scan.id)) continue;
    const earlier = admissions.get(scan.serial);
    if (earlier === undefined) admissions.set(scan.serial, [scan]);
    else earlier.push(scan);
  }
  return admissions;
}

/** The scans of the server and those that only the phone has, each once. */
export function joinScans(known: readonly KnownScan[], own: readonly DoorScan[], phone: string): KnownScan[] {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...own.filter(({ id }) => !ids.has(id)).map((scan) => ({ ...scan, phone, isMine: true }))];
}

export const findTicket = ({ tickets }: DoorList, serial: string): DoorTicket | null =>
  tickets.find((one) => one.serial === serial) ?? null;

type Known = { readonly list: DoorList; readonly admissions: Admissions };

/** Judges what a camera or scanner read. Works without a network. */
export async function judgeCode(text: string, known: Known): Promise<Verdict> {
  const { list } = known;
  const code = text.trim();
  const token = readToken(code);
  if (token === null) return { kind: /^AT\d+:/i.test(code) ? "damaged" : "not_ours" };
  const isListed = findTicket(list, token.serial) !== null;
  // A browser that cannot verify signatures still knows the serials, which nobody can guess.
  const claim = await verifyToken(list.publicKey, code).catch(() => (isListed ? token : undefined));
  if (claim === undefined) return { kind: "not_listed" };
  if (claim === null) return { kind: "not_ours" };
  if (claim.eventId !== list.event.id) {
    return { kind: "other_event", event: list.otherEvents.find(({ id }) => id === claim.eventId) ?? null };
  }
  return judgeTicket(claim.serial, known);
}

/** Judges a ticket whose code was verified, or whose holder was found by name. */
export function judgeTicket(serial: string, { list, admissions }: Known): Verdict {
  const ticket = findTicket(list, serial);
  if (ticket !== null && ticket.cancelledAt !== null) return { kind: "cancelled", ticket };
  const scan = admissions.get(serial)?.[0];
  return scan === undefined ? { kind: "welcome", serial, ticket } : { kind: "already", serial, ticket, scan };
}

/** How many of each type came, of how many that are valid. */
export function countByType({ list, admissions }: Known): { title: string; came: number; all: number }[] {
  return list.types.map(({ id, title }) => {
    const valid = list.tickets.filter(({ typeId, cancelledAt }) => typeId === id && cancelledAt === null);
    return { title, came: valid.filter(({ serial }) => admissions.has(serial)).length, all: valid.length };
  });
}

/** The other valid tickets of a ticket's order, and those of them whose holders have not come. */
export function findCompanions({ serial, order }: DoorTicket, { list, admissions }: Known) {
  const others = list.tickets.filter((one) => one.order === order && one.serial !== serial && one.cancelledAt === null);
  return { others, missing: others.filter((one) => !admissions.has(one.serial)) };
}

/** Letters that have no accent to take off, or that an Arabic keyboard writes in its own way. */
const plainForms: Readonly<Record<string, string>> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ı: "i",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ي: "ی",
  ى: "ی",
  ے: "ی",
  ك: "ک",
  ه: "ہ",
  ھ: "ہ",
  ة: "ہ",
  ۃ: "ہ",
};
const foldable = new RegExp(`[${Object.keys(plainForms).join("")}]`, "gu");

/** Without accents, apostrophes and characters that do not show. */
const fold = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}'’‘ʻʼ`´]/gu, "")
    .toLowerCase()
    .replace(foldable, (character) => plainForms[character]!);

/** Tickets whose holder's name has every word that was typed, or whose number begins so; at most `limit`, by name. */
export function findByName(tickets: readonly DoorTicket[], typed: string, limit: number): DoorTicket[] {
  const words = fold(typed)
    .split(/[\s\p{P}]+/u)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const typedNumber = readBase32(words.join(""));
  const matches = ({ holder, number }: DoorTicket) => {
    const name = fold(holder);
    const isNumber = typedNumber.length >= 4 && readBase32(number).startsWith(typedNumber);
    return isNumber || words.every((word) => name.includes(word));
  };
  return tickets
    .filter(matches)
    .sort((a, b) => (a.holder < b.holder ? -1 : a.holder > b.holder ? 1 : a.order - b.order))
    .slice(0, limit);
}

export type DoorProblem = {
  readonly kind: "twice" | "cancelled";
  readonly serial: string;
  readonly scans: readonly KnownScan[];
};

/** What phones could not know when they let somebody in: the ticket came in twice, or was cancelled before. */
export function listProblems({ list, admissions }: Known): DoorProblem[] {
  const cancelledAt = new Map(list.tickets.map((ticket) => [ticket.serial, ticket.cancelledAt]));
  return [...admissions].flatMap(([serial, scans]): DoorProblem[] => {
    const since = cancelledAt.get(serial) ?? null;
    const late = since === null ? [] : scans.filter(({ at }) => at >= since);
    return [
      ...(scans.length > 1 ? [{ kind: "twice" as const, serial, scans }] : []),
      ...(late.length > 0 ? [{ kind: "cancelled" as const, serial, scans: late }] : []),
    ];
  });
}
