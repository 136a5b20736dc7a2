import { afterAll, beforeAll, expect, test } from "vitest";
import { openPages } from "#test/project/whole-site.ts";
import { readPage } from "#test/read-page.ts";
import { openRefundSite, type RefundSite } from "#test/refund-site.ts";
import { linkIn, sellOut } from "#test/waiting-list.ts";

let site: RefundSite;
beforeAll(async () => {
  site = await openRefundSite({ LIMITS_TICKET_HOLDS: "1000", LOG_LEVEL: "silent" });
});
afterAll(() => site.close());

const textOf = (html: string) => readPage(html).querySelector("main")!.textContent!.replace(/\s+/g, " ");

async function openList() {
  const event = await sellOut(site, 6);
  const path = event.screen.replace("/call-off", "/waiting");
  const { browser } = event.planner;
  /** Each entry's first name with what its row says of it. */
  const rows = async () => {
    const { html } = await browser.get(path);
    return Object.fromEntries(
      [...readPage(html).querySelectorAll("tbody tr")].map((row) => [
        row.querySelector("th bdi")!.textContent!.split(" ")[0],
        row
          .querySelector(".w-c")!
          .textContent!.replace(/\s+/g, " ")
          .replace(/(?<=until |Until |Offered |Nair, ).*$/, "…"),
      ]),
    );
  };
  return { ...event, path, browser, rows };
}

test("WAIT-6: staff see who waits, and why each still waits or how it ended", async () => {
  const event = await openList();
  expect(textOf((await event.browser.get(event.path)).html)).toContain("Nobody is waiting");
  await event.join("Amina");
  await event.join("Family", 4);
  await event.join("Bilal");
  expect(await event.rows()).toEqual({
    Amina: "NextNo seat is free",
    Family: "Number 2 in lineNo seat is free",
    Bilal: "Number 3 in lineNo seat is free",
  });
  await event.free(3);
  await event.offer();
  expect(await event.rows()).toEqual({
    Amina: "Has an offerUntil …",
    Family: "Next2 seats are free, and kept for them until …",
    Bilal: "Number 2 in line2 seats are free, and others come first",
  });
  site.clock.advance(25 * 3_600_000);
  const { browser } = await site.join("auditor");
  const shown = textOf((await browser.get(event.path)).html);
  for (const said of [
    "2 people wait for 5 tickets",
    "Did not buy",
    "not enough for them, so the next who fits is asked",
  ]) {
    expect(shown).toContain(said);
  }
  expect(shown).not.toContain("Take off");
});

test("WAIT-6: staff take somebody off the list, whose offer goes to the next, and the audit trail says so", async () => {
  const event = await openList();
  await event.join("Amina");
  await event.join("Bilal");
  await event.free(1);
  await event.offer();
  const { rows } = await site.pool.query(
    "select id from waiting_entries where event_id = $1 and first_name = 'Amina'",
    [event.id],
  );
  const remove = `${event.path}/${rows[0].id}/remove`;
  expect((await event.browser.post(remove)).status).toBe(303);
  expect(await event.standing()).toEqual({ Amina: "left", Bilal: "held" });
  expect(textOf((await event.browser.get(event.path)).html)).toContain("Nobody is waiting without an offer");
  const again = await event.browser.post(remove);
  expect([again.status, textOf(again.html).includes("They had left the list already.")]).toEqual([409, true]);
  expect((await event.browser.post(`${event.path}/nothing/remove`)).status).toBe(404);
  const other = await openList();
  expect((await other.browser.post(`${other.path}/${rows[0].id}/remove`)).status).toBe(404);
  expect(textOf((await event.browser.get(event.path)).html)).toContain(`Taken offBy ${event.planner.name}`);
  const { browser } = await site.join("administrator");
  expect(textOf((await browser.get("/admin/audit")).html)).toContain(
    "took somebody off the waiting list of event Charity dinner",
  );
});

test("WAIT-1, WAIT-5: the pages say whether there is a list, the place in line, the offer, and how it ended", async () => {
  const event = await openList();
  const { app, close } = await openPages(site.services);
  const read = async (url: string) => {
    const { statusCode, body } = await app.inject(url);
    return { statusCode, text: textOf(body), page: readPage(body) };
  };
  const form = `/waiting-list?event=${event.slug}&type=vip`;
  expect((await read(form)).text).toContain("Wait for VIP Seat");
  expect((await read(form.replace("vip", "standard"))).text).toContain("Standard Seat is on sale now");
  expect((await read("/waiting-list")).statusCode).toBe(404);
  expect((await read(form.replace("vip", "nothing"))).statusCode).toBe(404);
  await event.join("Amina");
  await event.join("Bilal");
  const places = (await event.emails("waiting-joined")).map(({ text_body }) => linkIn(text_body, "waiting-list"));
  const [amina, bilal] = places.map(([, id, key]) => `/waiting-list/${id}?key=${key}`);
  expect((await read(amina!)).text).toMatch(
    /You are next ?When a seat comes free.*It is then yours alone for 24 hours/,
  );
  expect((await read(bilal!)).text).toContain("You are number 2 in line");
  expect((await read(amina!.replace("key=", "key=x"))).statusCode).toBe(404);
  await event.free(1);
  await event.offer();
  const offered = await read(amina!);
  expect(offered.text).toMatch(/A seat is held for you ?It is yours until .* After that it goes to the next person/);
  const order = offered.page.querySelector('main a[href^="/ticket-orders/"]')!.getAttribute("href")!;
  expect((await read(order)).text).toMatch(
    /They are yours until \w+,? \d+ \w+ \d{4} at .* Sydney time\. Nothing is charged yet/,
  );
  const [, id, key] = linkIn(order, "ticket-orders");
  const found = await event.buyer.find({ id: id!, key: key! });
  await event.buyer.pay({ id: id!, key: key!, total: found.data.total });
  expect((await read(amina!)).text).toContain("You have your tickets");
  expect((await read(bilal!)).text).toContain("You are next");
  // Nothing is offered while the sale is over or stopped, as staff see too.
  const off = "These tickets are not on sale nowNobody is offered any in the meantime";
  const setUntil = (until: string) =>
    site.pool.query(`update ticket_types set sales_until = ${until} where event_id = $1`, [event.id]);
  await setUntil("now() - interval '1 minute'");
  expect((await read(bilal!)).text).toContain(off);
  await setUntil("null");
  const request = await event.ask(event.planner);
  expect((await read(bilal!)).text).toContain(off);
  expect((await event.rows()).Bilal).toBe("NextThis type is not on sale");
  await event.planner.browser.post(`${event.screen}/withdraw`, { request });
  expect((await read(bilal!)).text).toContain("You are next");
  await site.pool.query("update events set called_off_at = now() where id = $1", [event.id]);
  expect((await read(bilal!)).text).toContain("The waiting list is closed");
  await close();
});
