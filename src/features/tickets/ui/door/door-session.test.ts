import { afterEach, expect, test, vi } from "vitest";
import type { DoorList, DoorScan, DoorSync, DoorSyncAnswer } from "../../door-contract.ts";
import { signTicket } from "../../server/order-facts.ts";
import { ticketKey } from "../../server/ticket-key.ts";
import { openDoor } from "./door-session.ts";
import type { Known } from "./door-store.ts";

const secret = "a-secret-of-at-least-thirty-two-characters";
const serial = "00000000000000aa";
const code = signTicket(secret, { eventId: 7, typeId: 1, serial: Buffer.from(serial, "hex") });
const list: DoorList = {
  version: "1",
  event: { id: 7, title: "Charity Dinner", timeZone: "Australia/Sydney" },
  publicKey: ticketKey(secret).publicKey,
  types: [{ id: 1, title: "Standard" }],
  tickets: [{ serial, number: "K7Q2-0001", holder: "Amina Yusuf", typeId: 1, order: 1, cancelledAt: null }],
  otherEvents: [],
};

/** The phone's disk. */
const disk = vi.hoisted(() => ({ known: null as Known | null, waiting: [] as DoorScan[] }));
vi.mock("./door-store.ts", async (original) => {
  const { nothingKnown } = await original<typeof import("./door-store.ts")>();
  return {
    nothingKnown,
    openStore: async () => ({
      read: async () => ({ known: disk.known ?? nothingKnown, waiting: disk.waiting }),
      addWaiting: async (scan: DoorScan) => void disk.waiting.push(scan),
      keep: async (known: Known, sent: readonly string[] = []) => {
        disk.known = known;
        disk.waiting = disk.waiting.filter(({ id }) => !sent.includes(id));
      },
    }),
  };
});
afterEach(() => {
  vi.unstubAllGlobals();
  Object.assign(disk, { known: null, waiting: [] });
});

type Answering = (sync: DoorSync) => Partial<DoorSyncAnswer> | number;

/** The site: answers each exchange, or refuses it with a status. */
const serve = (answering: Answering) =>
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const answer = answering(JSON.parse(body));
    if (typeof answer === "number") return new Response("{}", { status: answer });
    const usual = { now: Date.now(), phone: "Main entrance", list: null, scans: [], after: 0, unknown: [] };
    return Response.json({ ...usual, ...answer });
  });

test("DOOR-3: a genuine ticket that the site does not have comes in once, also with a network", async () => {
  serve(({ scans }) => ({ list: { ...list, tickets: [] }, unknown: scans.map(({ id }) => id) }));
  const door = await openDoor("/door/7");
  await door.sync();
  const first = await door.takeCode(code);
  expect(first.verdict.kind).toBe("welcome");
  expect((await door.takeCode(code)).verdict.kind).toBe("already");
  expect(door.getState().lost).toHaveLength(1);
  await door.undo(serial, first.scanId!);
  await door.sync();
  expect((await door.takeCode(code)).verdict.kind).toBe("welcome");
});

test("DOOR-1: a phone whose pass has ended forgets the tickets and their holders, and keeps the scans that wait", async () => {
  serve(() => ({ list, now: Date.now() - 3_600_000 }));
  const door = await openDoor("/door/7");
  await door.sync();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("No network")));
  const { scanId } = await door.takeCode(code);
  serve(() => 401);
  await door.sync();
  expect(door.getState()).toMatchObject({ isPaired: false, list: null, phone: "Main entrance" });
  expect(JSON.stringify(disk)).not.toContain("Amina");
  // Opened again without a network, it lets nobody in either.
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("No network")));
  expect((await openDoor("/door/7")).getState()).toMatchObject({ list: null, waiting: [{ id: scanId }] });
  // With a new code it sends what waited, by the site's time.
  const sent: DoorSync[] = [];
  serve((sync) => {
    if (sync.scans !== undefined) sent.push(sync);
    return { list };
  });
  expect(await door.pair("K7Q2-M9XW")).toBeNull();
  const [{ scans, sentAt }] = sent as [DoorSync];
  expect(scans.map(({ id }) => id)).toEqual([scanId]);
  expect(Math.abs(sentAt - scans[0]!.at)).toBeLessThan(60_000);
});
