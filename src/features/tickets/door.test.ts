import { expect, test } from "vitest";
import {
  countByType,
  findByName,
  findCompanions,
  joinScans,
  judgeCode,
  judgeTicket,
  listAdmissions,
  listProblems,
} from "./door.ts";
import type { DoorList, DoorTicket, KnownScan } from "./door-contract.ts";
import { signTicket } from "./server/order-facts.ts";
import { ticketKey } from "./server/ticket-key.ts";

const secret = "a-secret-of-at-least-thirty-two-characters";
const serialOf = (n: number) => n.toString(16).padStart(16, "0");
const codeOf = (n: number, { eventId = 7, secretKey = secret } = {}) =>
  signTicket(secretKey, { eventId, typeId: 1, serial: Buffer.from(serialOf(n), "hex") });

const ticket = (n: number, changes: Partial<DoorTicket> = {}): DoorTicket => ({
  serial: serialOf(n),
  number: `K7Q2-000${n}`,
  holder: `Holder ${n}`,
  typeId: 1,
  order: n,
  cancelledAt: null,
  ...changes,
});
const tickets = [
  ticket(1, { holder: "Zoë Ångström" }),
  ticket(2, { holder: "فاطمہ بیگم", order: 2 }),
  ticket(3, { holder: "Ali Hassan", order: 2 }),
  ticket(4, { holder: "Tom Becker", cancelledAt: 5000 }),
];
const list: DoorList = {
  version: "1",
  event: { id: 7, title: "Charity Dinner", timeZone: "Australia/Sydney" },
  publicKey: ticketKey(secret).publicKey,
  types: [{ id: 1, title: "Standard" }],
  tickets,
  otherEvents: [{ id: 8, title: "School kit day", day: "6 December 2026" }],
};
let made = 0;
const scan = (n: number, changes: Partial<KnownScan> = {}): KnownScan => ({
  id: `scan ${++made}`,
  serial: serialOf(n),
  undoes: null,
  at: 6000,
  phone: "Main entrance",
  isMine: false,
  ...changes,
});
const known = (scans: readonly KnownScan[] = []) => ({ list, admissions: listAdmissions(scans) });

test("DOOR-2: a code is judged without a network: welcome, already in, cancelled, another event, another site", async () => {
  expect(await judgeCode(`${codeOf(1)}\n`, known())).toEqual({
    kind: "welcome",
    serial: serialOf(1),
    ticket: tickets[0],
  });
  const first = scan(1);
  expect(await judgeCode(codeOf(1), known([first, scan(1)]))).toMatchObject({ kind: "already", scan: first });
  expect(await judgeCode(codeOf(4), known())).toEqual({ kind: "cancelled", ticket: tickets[3] });
  expect(await judgeCode(codeOf(1, { eventId: 8 }), known())).toEqual({
    kind: "other_event",
    event: list.otherEvents[0],
  });
  expect(await judgeCode(codeOf(1, { eventId: 9 }), known())).toEqual({ kind: "other_event", event: null });
  const otherSite = codeOf(1, { secretKey: "another-secret-of-thirty-two-characters" });
  expect(await judgeCode(otherSite, known())).toEqual({ kind: "not_ours" });
  // Also one that names another event, which anybody could claim.
  const claimed = codeOf(1, { eventId: 8, secretKey: "another-secret-of-thirty-two-characters" });
  expect(await judgeCode(claimed, known())).toEqual({ kind: "not_ours" });
});

test("DOOR-2: a ticket that was sold after the last update is welcome by its signature alone", async () => {
  expect(await judgeCode(codeOf(99), known())).toEqual({ kind: "welcome", serial: serialOf(99), ticket: null });
  expect(await judgeCode(codeOf(99), known([scan(99)]))).toMatchObject({ kind: "already", ticket: null });
});

test.each([
  ["a code torn in half", codeOf(1).slice(0, 60), "damaged"],
  ["a code with a letter too few", codeOf(1).slice(0, -1), "damaged"],
  ["a web address", "https://example.org/", "not_ours"],
  ["nothing", " ", "not_ours"],
  ["a code of a later version of ours", `AT2:${codeOf(1).slice(4)}`, "damaged"],
])("DOOR-2: %s is not let in, and says what it is", async (_, text, kind) => {
  expect((await judgeCode(text, known())).kind).toBe(kind);
});

test("DOOR-2: a browser that cannot verify signatures goes by its list", async () => {
  const old = { ...list, publicKey: "" };
  expect((await judgeCode(codeOf(1), { ...known(), list: old })).kind).toBe("welcome");
  expect((await judgeCode(codeOf(99), { ...known(), list: old })).kind).toBe("not_listed");
});

test("DOOR-5: an undone scan lets nobody in, and its ticket can come again", () => {
  const first = scan(1);
  const undo = scan(1, { undoes: first.id });
  expect(judgeTicket(serialOf(1), known([first, undo])).kind).toBe("welcome");
  const again = scan(1);
  expect(judgeTicket(serialOf(1), known([first, undo, again]))).toMatchObject({ kind: "already", scan: again });
});

test("DOOR-4: scans that wait on the phone count like those of the server, each once", () => {
  const sent = scan(1);
  const waiting = { id: "waits", serial: serialOf(2), undoes: null, at: 6500 };
  const joined = joinScans([sent], [{ ...sent }, waiting], "Side entrance");
  expect(joined.map(({ id, isMine, phone }) => [id, isMine, phone])).toEqual([
    [sent.id, false, "Main entrance"],
    ["waits", true, "Side entrance"],
  ]);
});

test("DOOR-4: what phones could not know is listed: one ticket twice, and one that was cancelled before", () => {
  const twice = [scan(1), scan(1, { phone: "Side entrance" })];
  const late = scan(4, { at: 6000 });
  expect(listProblems(known([...twice, late]))).toEqual([
    { kind: "twice", serial: serialOf(1), scans: twice },
    { kind: "cancelled", serial: serialOf(4), scans: [late] },
  ]);
  // Cancelled only after its holder was in.
  expect(listProblems(known([scan(4, { at: 4000 })]))).toEqual([]);
});

test("DOOR-5: a name is found by parts of its words, whatever their order, case and accents; a number with or without its hyphen", () => {
  const find = (typed: string) => findByName(tickets, typed, 10).map(({ holder }) => holder);
  expect(find("angstrom zo")).toEqual(["Zoë Ångström"]);
  expect(find("HASSAN, ali")).toEqual(["Ali Hassan"]);
  expect(find("بیگم")).toEqual(["فاطمہ بیگم"]);
  expect(find("k7q20004")).toEqual(["Tom Becker"]);
  expect(find("K7Q2-0003")).toEqual(["Ali Hassan"]);
  expect(find("K7Q2-OOO3")).toEqual(["Ali Hassan"]);
  // Three characters could be anybody's number.
  expect(find("k7q")).toEqual([]);
  expect(find("  ")).toEqual([]);
  expect(findByName(tickets, "k7q2", 2)).toHaveLength(2);
});

test("DOOR-5: a name is found whatever apostrophe, hyphen or kind of letter the helper's keyboard has", () => {
  const holders = ["Seán O’Brien", "Łukasz Şahin-Ødegård", "فاطمہ ملک زئی", "علی کاظمی"];
  const list = holders.map((holder, n) => ticket(n, { holder }));
  const find = (typed: string) => findByName(list, typed, 10).map(({ holder }) => holder);
  for (const typed of ["o'brien", "OBrien", "sean o brien"]) expect(find(typed), typed).toEqual(["Seán O’Brien"]);
  for (const typed of ["lukasz", "sahin odegard", "Sahin-Odegard"]) expect(find(typed), typed).toEqual([holders[1]]);
  // Arabic letters, where the ticket has those of Urdu.
  expect(find("فاطمه ملك زئي")).toEqual(["فاطمہ ملک زئی"]);
  expect(find("كاظمي")).toEqual(["علی کاظمی"]);
});

test("DOOR-5: the door counts who came by type, and knows who of an order has not come", () => {
  const state = known([scan(2), scan(4)]);
  expect(countByType(state)).toEqual([{ title: "Standard", came: 1, all: 3 }]);
  expect(findCompanions(tickets[1]!, state)).toEqual({ others: [tickets[2]], missing: [tickets[2]] });
  expect(findCompanions(tickets[2]!, state)).toEqual({ others: [tickets[1]], missing: [] });
  expect(findCompanions(tickets[0]!, state)).toEqual({ others: [], missing: [] });
});
