// @vitest-environment jsdom
import { cleanup, createEvent, fireEvent, render, screen } from "@testing-library/react";
import { useSyncExternalStore } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { DoorList, DoorScan } from "../../door-contract.ts";
import { signTicket } from "../../server/order-facts.ts";
import { type Door, openDoor, type ReadyState } from "./door-session.ts";
import { ScanView } from "./scan-view.tsx";
import { signal } from "./signals.ts";

vi.mock("./read-codes.ts", () => ({ openReader: vi.fn() }));
vi.mock("./signals.ts", () => ({ signal: vi.fn() }));
afterEach(() => {
  cleanup();
  vi.mocked(signal).mockClear();
  vi.unstubAllGlobals();
});

const serialOf = (n: number) => n.toString(16).padStart(16, "0");
const codeOf = (n: number) =>
  signTicket("a-secret-of-at-least-thirty-two-characters", {
    eventId: 7,
    typeId: 1,
    serial: Buffer.from(serialOf(n), "hex"),
  });
const ticket = (n: number, order: number, cancelledAt: number | null = null) => ({
  serial: serialOf(n),
  number: `K7Q2-000${n}`,
  holder: `Holder ${n}`,
  typeId: 1,
  order,
  cancelledAt,
});
/** The last was cancelled on a morning in Sydney. */
const tickets = [ticket(1, 1), ticket(2, 1), ticket(3, 1), ticket(4, 2, Date.parse("2026-11-27T21:00:00Z"))];
const list: DoorList = {
  version: "1",
  event: { id: 7, title: "Charity Dinner", timeZone: "Australia/Sydney" },
  publicKey: "",
  types: [{ id: 1, title: "Standard" }],
  tickets,
  otherEvents: [],
};

/** The phone's disk: while it is full, it keeps nothing. */
const disk = vi.hoisted(() => ({ isFull: false, waiting: [] as readonly DoorScan[] }));
vi.mock("./door-store.ts", async (original) => {
  const { nothingKnown } = await original<typeof import("./door-store.ts")>();
  return {
    nothingKnown,
    openStore: async () => ({
      read: async () => ({ known: { ...nothingKnown, list, phone: "Main entrance" }, waiting: disk.waiting }),
      addWaiting: async () => {
        if (disk.isFull) throw new DOMException("The disk is full.", "QuotaExceededError");
      },
      keep: async () => undefined,
    }),
  };
});

function Scanning({ door }: { door: Door }) {
  const state = useSyncExternalStore(door.subscribe, door.getState);
  return <ScanView door={door} state={state as ReadyState} onCheck={() => undefined} />;
}

/** A phone without a network, or with `fetch` as its network. */
async function open(fetch = () => Promise.reject(new TypeError("No network")), waiting: readonly DoorScan[] = []) {
  vi.stubGlobal("fetch", fetch);
  Object.assign(disk, { isFull: false, waiting });
  render(<Scanning door={await openDoor("/door/7")} />);
}

/** Types as fast as a scanner, by the events' own times: on a busy machine the keys may come late. */
function scan(n: number) {
  const timeStamp = performance.now();
  for (const key of [...codeOf(n), "Enter"]) {
    const event = createEvent.keyDown(document.body, { key });
    Object.defineProperty(event, "timeStamp", { value: timeStamp });
    fireEvent(document.body, event);
  }
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));

test("DOOR-3: a scan that the phone cannot save is told as such, and the next one is judged", async () => {
  await open();
  disk.isFull = true;
  scan(1);
  await screen.findByText("Not saved");
  expect(screen.getByText(/could not save that, so it does not count/)).toBeDefined();
  expect(document.querySelector(".door")!.className).toContain("not_kept");
  disk.isFull = false;
  scan(1);
  await screen.findByText("Welcome");
});

test("DOOR-3: letting in by name, letting others in and undoing say so too when the phone cannot save them", async () => {
  await open();
  press("Find a name");
  fireEvent.change(screen.getByLabelText(/^Name, or number/), { target: { value: "Holder 2" } });
  disk.isFull = true;
  press(/^Let in: Holder 2/);
  await screen.findByText("Not saved");
  disk.isFull = false;
  scan(1);
  await screen.findByText("Welcome");
  disk.isFull = true;
  press("Let the other 2 in too");
  await screen.findByText("Not saved");
  disk.isFull = false;
  scan(2);
  await screen.findByText("Welcome");
  disk.isFull = true;
  press("Undo");
  await screen.findByText("Not saved");
  press("Find a name");
  fireEvent.change(screen.getByLabelText(/^Name, or number/), { target: { value: "Holder 1" } });
  press(/^Undo: Holder 1/);
  await screen.findByText("Not saved");
});

test("DOOR-2: of a cancelled ticket, the door says the day by the event's own clock", async () => {
  await open();
  scan(4);
  await screen.findByText("Cancelled");
  expect(screen.getByText(/This ticket was cancelled on 28 November\./)).toBeDefined();
});

test("DOOR-2: of a ticket that came in on another day, the door says the day too", async () => {
  const before = { id: "an earlier scan", serial: serialOf(2), undoes: null, at: Date.parse("2026-09-12T08:41:00Z") };
  await open(undefined, [before]);
  scan(2);
  await screen.findByText("Already in");
  expect(screen.getByText(/^Came in at 6:41 pm on 12 September at Main entrance\./)).toBeDefined();
  scan(3);
  await screen.findByText("Welcome");
  scan(3);
  await screen.findByText(/^Came in at \d+:\d\d [ap]m at Main entrance\./);
});

test("DOOR-4: what phones could not know names the ticket's holder and its number", async () => {
  const scans = ["one", "two"].map((id) => ({ id, serial: serialOf(2), undoes: null, at: Date.now() }));
  await open(undefined, scans);
  const note = screen.getByRole("alert");
  expect(note.textContent).toMatch(/^One ticket came in more than once .*Holder 2, K7Q2-0002/);
  expect(note.querySelectorAll("li")).toHaveLength(2);
});

/** A network that does not answer while a person at the door waits. */
const slowNetwork = () => new Promise<never>(() => undefined);

test("DOOR-5: a second press on a name, while the first is not answered yet, neither undoes it nor says 'Already in'", async () => {
  await open(slowNetwork);
  press("Find a name");
  fireEvent.change(screen.getByLabelText(/^Name, or number/), { target: { value: "Holder 2" } });
  press(/^Let in: Holder 2/);
  await screen.findByText(/^In since/);
  for (const button of screen.getAllByRole("button", { name: /: Holder 2, / })) fireEvent.click(button);
  await screen.findByText("Welcome");
  expect(screen.getByText("1 of 3")).toBeDefined();
});

test("DOOR-5: a second press on 'Let the other in too' lets nobody in twice, and raises no alarm", async () => {
  await open(slowNetwork);
  scan(1);
  await screen.findByText("Welcome");
  press("Let the other 2 in too");
  await screen.findByText("2 of 3");
  press(/^Let the other/);
  await screen.findByText(/All 3 of this order are in\./);
  await vi.waitFor(() => expect(signal).toHaveBeenCalledTimes(3));
  expect(signal).not.toHaveBeenCalledWith("already");
});
