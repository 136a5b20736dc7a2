import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { createVisitor, type Visitor } from "#test/site.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";
import type { DoorList, DoorScan, DoorSyncAnswer } from "../../door-contract.ts";

let site: AdminSite;
let sana: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite({ LIMITS_TICKET_HOLDS: "1000" });
  sana = await site.logIn("events");
});
afterAll(() => site.close());
// Each test pairs phones from the same address.
beforeEach(() => site.pool.query("delete from rate_limits"));

const DAY_MS = 86_400_000;
const textOf = (html: string) => readPage(html).querySelector("main")!.textContent!.replace(/\s+/g, " ");

/** An event in two days, with its screens, its buyers and its phones. */
async function open() {
  const startsAt = new Date(site.clock.now().getTime() + 2 * DAY_MS);
  const event = await makeTicketedEvent(site.database, { startsAt });
  await sana.get("/admin/events");
  const { rows } = await site.pool.query("select id from content_items where kind = 'events' and live_key = $1::text", [
    event.id,
  ]);
  const screen = `/admin/events/${rows[0].id}/door`;
  const path = `/admin/door/${rows[0].id}`;
  const serials = async () => {
    const found = await site.pool.query(
      "select encode(serial, 'hex') as serial from tickets join ticket_orders o on o.id = order_id where event_id = $1 order by o.paid_at, position",
      [event.id],
    );
    return found.rows.map(({ serial }): string => serial);
  };
  /** Adds a phone in the back office, and returns its code. */
  async function addPhone(name: string) {
    expect((await sana.post(screen, { name })).status).toBe(303);
    return readPage((await sana.get(screen)).html).querySelector(".pair-code code")!.textContent!;
  }
  async function openPhone(name: string) {
    const phone = createPhone(await createVisitor(site.app), path);
    expect((await phone.pair(await addPhone(name))).status).toBe(200);
    return phone;
  }
  return { event, screen, path, serials, addPhone, openPhone, buyer: createBuyer(site, await site.visitor()) };
}

/** What a phone sends; it has no more than its own cookies. */
function createPhone(visitor: Visitor, path: string) {
  const send = async (url: string, payload: unknown) => {
    const headers = { "content-type": "application/json" };
    const response = await visitor.ask({ method: "POST", url, headers, payload: JSON.stringify(payload) });
    return { status: response.statusCode, body: response.body };
  };
  return {
    visitor,
    pair: (code: string, at = path) => send(`${at}/pair`, { code }),
    sync: async (sent: Partial<Record<"scans" | "sentAt" | "after" | "version", unknown>> = {}, at = path) => {
      const { status, body } = await send(`${at}/sync`, {
        scans: [],
        sentAt: site.clock.now().getTime(),
        after: 0,
        version: "",
        ...sent,
      });
      return { status, answer: (status === 200 ? JSON.parse(body) : null) as DoorSyncAnswer };
    },
  };
}

const scanOf = (serial: string, changes: Partial<DoorScan> = {}): DoorScan => ({
  id: randomUUID(),
  serial,
  undoes: null,
  at: site.clock.now().getTime(),
  ...changes,
});

test("DOOR-1: a phone is paired once by a code that staff show, and then gets the list of this event only", async () => {
  const { screen, path, addPhone, buyer, event, serials } = await open();
  const other = await open();
  await buyer.book(event.slug, [{ type: "vip", quantity: 2 }]);
  await other.buyer.book(other.event.slug, [{ type: "vip", quantity: 1 }]);
  const code = await addPhone("Main entrance");
  const phone = createPhone(await createVisitor(site.app), path);
  expect((await phone.sync()).status).toBe(401);
  expect((await phone.pair("0000-0000")).status).toBe(403);
  expect((await phone.pair(code, other.path)).status).toBe(403);
  // As people type it.
  expect((await phone.pair(` ${code.toLowerCase().replace("-", " ").replaceAll("0", "o")} `)).status).toBe(200);
  const { answer } = await phone.sync();
  expect(answer.list!.tickets.map(({ serial }) => serial)).toEqual(await serials());
  expect(answer.phone).toBe("Main entrance");
  expect(answer.list!.otherEvents.map(({ id }) => id)).toContain(other.event.id);
  // Its pass opens no other door, no screen, and its code works once.
  const cookie = `door=${phone.visitor.cookies.get("door")}`;
  const elsewhere = await site.app.inject({
    method: "POST",
    url: `${other.path}/sync`,
    headers: { cookie },
    payload: { scans: [], sentAt: 0, after: 0, version: "" },
  });
  expect(elsewhere.statusCode).toBe(401);
  const screenFor = await site.app.inject({ url: screen, headers: { cookie } });
  expect([screenFor.statusCode, screenFor.headers.location?.startsWith("/admin/sign-in")]).toEqual([302, true]);
  expect((await createPhone(await createVisitor(site.app), path).pair(code)).status).toBe(403);
  expect(textOf((await sana.get(screen)).html)).toContain("Main entrance");
});

test("DOOR-1: whoever may not plan events sees the door and its figures, and no code that would pair a phone", async () => {
  const { screen, addPhone } = await open();
  const code = await addPhone("Main entrance");
  const auditor = await site.logIn("auditor");
  const { status, html } = await auditor.get(screen);
  expect([status, html.includes("Who came"), html.includes(code), html.includes("Add a phone")]).toEqual([
    200,
    true,
    false,
    false,
  ]);
});

test("DOOR-1: a code works for fifteen minutes, and wrong ones are paused", async () => {
  const { path, addPhone } = await open();
  const code = await addPhone("Late");
  const phone = createPhone(await createVisitor(site.app), path);
  site.clock.advance(15 * 60_000);
  expect((await phone.pair(code)).status).toBe(403);
  const statuses = [];
  for (let n = 0; n < 20; n++) statuses.push((await phone.pair("1111-1111")).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await phone.pair(await addPhone("Later"))).status).toBe(429);
});

test("DOOR-1: a pass ends when staff end it, when whoever added it leaves or may not open doors any more, and two days after the event", async () => {
  const { screen, openPhone, event } = await open();
  const [ended, orphaned] = [await openPhone("Ended"), await openPhone("Orphaned")];
  const { rows } = await site.pool.query("select id from door_phones where event_id = $1 and name = 'Ended'", [
    event.id,
  ]);
  expect((await sana.post(`${screen}/${rows[0].id}/end`)).status).toBe(303);
  expect((await sana.post(`${screen}/${rows[0].id}/end`)).html).toContain("This phone had been ended already.");
  expect((await ended.sync()).status).toBe(401);
  expect((await orphaned.sync()).status).toBe(200);
  const setState = (state: string, at: Date | null) =>
    site.pool.query("update staff set state = $2, ended_at = $3 where id = $1", [sana.id, state, at]);
  await setState("ended", site.clock.now());
  expect((await orphaned.sync()).status).toBe(401);
  await setState("active", null);
  const setRoles = (...roles: string[]) =>
    site.pool.query("update staff set roles = $2 where id = $1", [sana.id, roles]);
  await setRoles("editor");
  expect((await orphaned.sync()).status).toBe(401);
  await setRoles("events");
  expect((await orphaned.sync()).status).toBe(200);
  await site.pool.query("update events set starts_at = $2, ends_at = $2 where id = $1", [
    event.id,
    new Date(site.clock.now().getTime() - 2 * DAY_MS),
  ]);
  expect((await orphaned.sync()).status).toBe(401);
  // A code would pair a phone that has no pass a moment later.
  const late = await sana.post(screen, { name: "Late" });
  expect([late.status, textOf(late.html).includes("The door of this event is closed.")]).toEqual([409, true]);
  const page = readPage((await sana.get(screen)).html);
  expect([page.querySelector("form#door"), page.querySelector(".s-c .st.ok")]).toEqual([null, null]);
  const acts = await site.pool.query(
    "select verb from audit_trail where verb like 'events.%door_phone' order by id desc",
  );
  expect(acts.rows[0].verb).toBe("events.end_door_phone");
});

test("DOOR-1: a door helper makes their own phone one of the door, and may see nothing else", async () => {
  const { path, event } = await open();
  const helper = await site.logIn("door");
  expect(await helper.get("/admin")).toMatchObject({ status: 302, to: "/admin/door" });
  const { html } = await helper.get("/admin/door");
  const screenId = path.split("/").at(-1)!;
  expect(html).toContain(`value="${screenId}"`);
  expect((await helper.post("/admin/door", { event: screenId, name: " " })).html).toContain("Enter where it stands");
  const done = await helper.post("/admin/door", { event: screenId, name: "Side entrance" });
  expect(done).toMatchObject({ status: 303, to: path });
  expect((await createPhone(helper.visitor, path).sync()).answer.phone).toBe("Side entrance");
  for (const hidden of ["/admin/events", "/admin/orders", `/admin/events/${screenId}/door`, "/admin/donations"])
    expect((await helper.get(hidden)).status, hidden).toBe(403);
  // The door of an event that is far away stays closed.
  await site.pool.query("update events set starts_at = $2, ends_at = $2 where id = $1", [
    event.id,
    new Date(site.clock.now().getTime() + 30 * DAY_MS),
  ]);
  expect((await helper.post("/admin/door", { event: screenId, name: "Early" })).html).toContain(
    "The door of this event is closed.",
  );
});

test("DOOR-3: a scan counts once, however often and by whatever phone it is sent, and others learn of it in order", async () => {
  const { event, buyer, serials, openPhone } = await open();
  await buyer.book(event.slug, [{ type: "vip", quantity: 3 }]);
  const [one, two, three] = (await serials()) as [string, string, string];
  const [main, side] = [await openPhone("Main"), await openPhone("Side")];
  const first = scanOf(one);
  const sent = { scans: [first, scanOf(two)] };
  const answers = await Promise.all([main.sync(sent), main.sync(sent), side.sync({ scans: [first, scanOf(three)] })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { answer } = await side.sync();
  expect(answer.scans.map(({ serial }) => serial).sort()).toEqual([one, two, three].sort());
  expect(answer.scans.filter(({ isMine }) => isMine).map(({ serial }) => serial)).toContain(three);
  const later = await side.sync({ after: answer.after, version: answer.list!.version });
  expect(later.answer).toMatchObject({ scans: [], after: answer.after, list: null });
  const kept = await site.pool.query("select count(*)::integer as count from door_scans where event_id = $1", [
    event.id,
  ]);
  expect(kept.rows[0].count).toBe(3);
  await expect(site.pool.query("delete from door_scans where event_id = $1", [event.id])).rejects.toThrow(
    "append only",
  );
});

test("DOOR-3: many phones that send at once give every scan its number, and none is missed", async () => {
  const { event, buyer, serials, openPhone } = await open();
  await buyer.book(event.slug, [{ type: "vip", quantity: 4 }]);
  const all = await serials();
  const phones = [await openPhone("A"), await openPhone("B"), await openPhone("C")];
  const seen = phones.map(() => ({ after: 0, ids: [] as string[] }));
  const sentIds: string[] = [];
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      phones.map(async (phone, index) => {
        const scans = all.map((serial) => scanOf(serial));
        sentIds.push(...scans.map(({ id }) => id));
        const { answer } = await phone.sync({ scans, after: seen[index]!.after });
        seen[index]!.after = answer.after;
        seen[index]!.ids.push(...answer.scans.map(({ id }) => id));
      }),
    );
  }
  for (const [index, phone] of phones.entries()) {
    const { answer } = await phone.sync({ after: seen[index]!.after });
    const ids = [...seen[index]!.ids, ...answer.scans.map(({ id }) => id)];
    expect(ids.sort()).toEqual([...sentIds].sort());
  }
});

test("DOOR-3: the time of a scan is the site's, whatever the phone's clock says", async () => {
  const { event, buyer, serials, openPhone } = await open();
  await buyer.book(event.slug, [{ type: "vip", quantity: 4 }]);
  const [one, two, three, four] = (await serials()) as [string, string, string, string];
  const phone = await openPhone("Main");
  site.clock.advance(10 * 60_000);
  const wrong = site.clock.now().getTime() - 3 * DAY_MS;
  const scans = [
    scanOf(one, { at: wrong - 60_000 }),
    // Before the phone was paired, and in the future.
    scanOf(two, { at: wrong - 5 * DAY_MS }),
    scanOf(three, { at: wrong + DAY_MS }),
    // Before there were calendars.
    scanOf(four, { at: Number.MIN_SAFE_INTEGER }),
  ];
  const before = site.clock.now().getTime();
  const { answer } = await phone.sync({ scans, sentAt: wrong });
  const minutesAgo = answer.scans.map(({ at }) => Math.max(0, Math.round((before - at) / 60_000)));
  expect(minutesAgo).toEqual([1, 10, 0, 10]);
});

test("DOOR-4, DOOR-7: a ticket that came in twice, or was cancelled before, is kept and shown to staff; an undone one is neither", async () => {
  const { event, buyer, serials, openPhone, screen } = await open();
  await buyer.book(event.slug, [{ type: "vip", quantity: 3 }]);
  const [one, two, three] = (await serials()) as [string, string, string];
  const [main, side] = [await openPhone("Main"), await openPhone("Side")];
  await main.sync({ scans: [scanOf(one)] });
  await side.sync({ scans: [scanOf(one)] });
  // Online, the second phone undoes its own scan as soon as it learns of the first.
  await main.sync({ scans: [scanOf(three)] });
  const second = scanOf(three);
  await side.sync({ scans: [second, scanOf(three, { undoes: second.id })] });
  await site.pool.query("update tickets set cancelled_at = $2 where serial = decode($1, 'hex')", [
    two,
    site.clock.now(),
  ]);
  await site.pool.query("update ticket_types set sold = sold - 1 where event_id = $1 and code = 'vip'", [event.id]);
  site.clock.advance(60_000);
  const { answer } = await side.sync({ scans: [scanOf(two)] });
  expect(answer.list!.tickets.find(({ serial }) => serial === two)!.cancelledAt).not.toBeNull();
  const shown = textOf((await sana.get(screen)).html);
  const numberOf = (serial: string) => answer.list!.tickets.find((ticket) => ticket.serial === serial)!.number;
  expect(shown).toMatch(new RegExp(`Came in twice: ${numberOf(one)}, Amina Raza.* at Main, then .* at Side`));
  expect(shown).toContain(`Let in with a cancelled ticket: ${numberOf(two)}, Amina Raza`);
  expect(shown.match(/See the order/g)).toHaveLength(2);
  // A cancelled ticket is none of those that count, as on the phones.
  expect(shown).toContain("2 of 2 tickets");
  // What undoes a scan is none.
  const scans = [...readPage((await sana.get(screen)).html).querySelectorAll('td[data-l="Scans"]')];
  expect(scans.map(({ textContent }) => textContent).sort()).toEqual(["2", "3"]);
});

test.each<[string, (serials: string[]) => Partial<Record<"scans" | "sentAt" | "after" | "version", unknown>>]>([
  ["more scans than a phone sends", ([one]) => ({ scans: Array.from({ length: 201 }, () => scanOf(one!)) })],
  ["a serial that is none", () => ({ scans: [scanOf("xyz")] })],
  ["an id that is none", ([one]) => ({ scans: [scanOf(one!, { id: "1" })] })],
  ["a time that is none", ([one]) => ({ scans: [scanOf(one!, { at: 1.5 })] })],
  ["no list of scans", () => ({ scans: null })],
  ["a number below zero", () => ({ after: -1 })],
])("DOOR-3: %s is refused, and nothing is kept", async (_, malformed) => {
  const { event, buyer, serials, openPhone } = await open();
  await buyer.book(event.slug, [{ type: "vip", quantity: 1 }]);
  const phone = await openPhone("Main");
  expect((await phone.sync(malformed(await serials()))).status).toBe(422);
  expect((await phone.sync()).answer.scans).toEqual([]);
});

test("DOOR-3: a ticket of another event, and an undo of another's scan, are named as unknown, and the rest is kept", async () => {
  const [here, there] = [await open(), await open()];
  await here.buyer.book(here.event.slug, [{ type: "vip", quantity: 2 }]);
  await there.buyer.book(there.event.slug, [{ type: "vip", quantity: 1 }]);
  const [one, two] = (await here.serials()) as [string, string];
  const [foreign] = (await there.serials()) as [string];
  const phone = await here.openPhone("Main");
  const admitted = scanOf(one);
  const scans = [
    scanOf(foreign),
    scanOf("00000000000000aa"),
    admitted,
    scanOf(two, { undoes: admitted.id }),
    scanOf(one, { undoes: randomUUID() }),
  ];
  const { answer } = await phone.sync({ scans });
  expect([...answer.unknown].sort()).toEqual([scans[0]!.id, scans[1]!.id, scans[3]!.id, scans[4]!.id].sort());
  expect(answer.scans.map(({ id }) => id)).toEqual([admitted.id]);
});

test("DOOR-6: the list changes with every sale, name and cancellation, and is sent only then", async () => {
  const { event, buyer, openPhone } = await open();
  const { order } = await buyer.book(event.slug, [{ type: "vip", quantity: 1 }]);
  const phone = await openPhone("Main");
  let version = "";
  const next = async (): Promise<DoorList | null> => {
    const { list } = (await phone.sync({ version })).answer;
    version = list?.version ?? version;
    return list;
  };
  expect((await next())!.tickets).toHaveLength(1);
  expect(await next()).toBeNull();
  const { tickets } = (await buyer.find(order)).data as { tickets: { id: string }[] };
  await buyer.rename(order, tickets[0]!.id, "Amina Yusuf");
  expect((await next())!.tickets[0]!.holder).toBe("Amina Yusuf");
  await buyer.book(event.slug, [{ type: "standard", quantity: 2 }]);
  expect((await next())!.tickets).toHaveLength(3);
  expect(await next()).toBeNull();
});

test("DOOR-6: the door's page has no data, may use WebAssembly and its worker, and names what installs it", async () => {
  const { path } = await open();
  const visitor = await createVisitor(site.app);
  const { body, headers } = await visitor.ask({ url: path });
  expect(body).toContain(`<link rel="manifest" href="${path}/manifest.webmanifest"/>`);
  expect(headers["content-security-policy"]).toContain("script-src 'self' 'wasm-unsafe-eval';");
  expect(headers["content-security-policy"]).toContain("worker-src 'self'");
  expect(headers["content-security-policy"]).toContain("require-trusted-types-for 'script'");
  expect((await sana.get("/admin/events")).headers["content-security-policy"]).not.toContain("wasm");
  const manifest = JSON.parse((await visitor.ask({ url: `${path}/manifest.webmanifest` })).body);
  expect(manifest).toMatchObject({ start_url: path, scope: path, display: "standalone" });
  const worker = await visitor.ask({ url: "/admin/door/worker.js" });
  expect([worker.statusCode, worker.headers["content-type"]]).toEqual([200, "text/javascript; charset=utf-8"]);
});
