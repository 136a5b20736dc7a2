import pino from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeAttempt, makeDonation, makeRefund } from "#database/factories.ts";
import type { PaymentState } from "#payments/states.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";

type Browser = Awaited<ReturnType<AdminSite["logIn"]>>;

let site: AdminSite;
let treasurer: Browser;
let auditor: Browser;
const ids: Record<string, string> = {};

beforeAll(async () => {
  site = await openAdminSite();
  treasurer = await site.logIn("treasurer");
  auditor = await site.logIn("auditor");
});
afterAll(() => site.close());

type Made = {
  name: [string, string];
  email: string;
  at: string;
  fund?: "zakat" | "ambulance";
  cents?: number;
  method?: "cc" | "pp";
  state?: PaymentState;
  isAnonymous?: boolean;
  card?: string;
  transactionId?: string;
};

async function make(key: string, made: Made): Promise<string> {
  const { cents = 10_000, fund = "zakat", method = "cc", state = "succeeded", card } = made;
  const category = await site.services.database
    .selectFrom("donation_categories")
    .select(["id", "title"])
    .where("fund", "=", fund)
    .executeTakeFirstOrThrow();
  const created_at = new Date(made.at);
  ids[key] = await makeDonation(site.services.database, {
    donation: {
      first_name: made.name[0],
      last_name: made.name[1],
      email: made.email,
      method,
      created_at,
      is_anonymous: made.isAnonymous ?? false,
      subtotal_cents: cents,
      admin_fee_cents: 0,
      merchant_fee_cents: 0,
      total_cents: cents,
    },
    line: {
      fund,
      category_id: category.id,
      category_title: category.title,
      unit_cents: cents,
      line_cents: cents,
      admin_share_cents: 0,
      merchant_share_cents: 0,
    },
  });
  return makeAttempt(site.services.database, ids[key], {
    state,
    amount_cents: cents,
    created_at,
    sent_at: created_at,
    provider_transaction_id: made.transactionId ?? null,
    raw: card === undefined ? null : JSON.stringify({ creditCard: { cardNumber: `424242...${card}` } }),
  });
}

async function receiptOf(key: string, number: number) {
  await site.pool.query("insert into receipts (number, donation_id, data, issued_at) values ($1, $2, '{}', now())", [
    number,
    ids[key],
  ]);
}

async function open(path: string, browser = treasurer) {
  const { status, html } = await browser.get(path);
  expect(status).toBe(200);
  return readPage(html);
}

const address = (query: Record<string, string>) => `/admin/donations?${new URLSearchParams(query)}`;

/** The keys of the rows that are shown. */
async function find(query: Record<string, string>, browser = treasurer): Promise<string[]> {
  const document = await open(address(query), browser);
  const shown = [...document.querySelectorAll("tbody tr")].map((row) => row.getAttribute("data-id"));
  return shown.map((id) => Object.keys(ids).find((key) => ids[key] === id) ?? String(id));
}

test("DESK-1: before the first donation the list says what it will show", async () => {
  const document = await open("/admin/donations");
  expect(document.querySelector(".empty h2")?.textContent).toBe("The first gift will appear here");
});

test("DESK-1: words find names in any script and spelling, emails, receipts, references, amounts, cards and ids", async () => {
  await make("urdu", { name: ["علی", "خان"], email: "ali.khan@example.com", at: "2026-01-05T00:00:00Z" });
  await make("arabic", { name: ["فاطمة", "الزهراء"], email: "f@example.org", at: "2026-01-06T00:00:00Z" });
  await make("accent", { name: ["Zoë", "O’Brien-Łukasz"], email: "zoe@example.com", at: "2026-01-07T00:00:00Z" });
  await make("chinese", { name: ["伟", "张"], email: "wei@example.com", at: "2026-01-08T00:00:00Z" });
  await make("short", { name: ["Li", "Xu"], email: "lx@example.com", at: "2026-01-09T00:00:00Z", cents: 123_456 });
  await make("secret", {
    name: ["", ""],
    email: "quiet@example.com",
    at: "2026-01-10T00:00:00Z",
    isAnonymous: true,
    method: "pp",
    card: undefined as never,
    transactionId: "ab12cd34",
  });
  await make("card", {
    name: ["Grace", "Papa"],
    email: "grace@example.com",
    at: "2026-01-11T00:00:00Z",
    card: "917",
    fund: "ambulance",
  });
  await receiptOf("accent", 4242);

  expect(await find({ q: "علي" })).toEqual(["urdu"]);
  expect(await find({ q: "فاطمہ" })).toEqual(["arabic"]);
  expect(await find({ q: "zoe OBRIEN" })).toEqual(["accent"]);
  expect(await find({ q: "o'brien-lukasz" })).toEqual(["accent"]);
  expect(await find({ q: "O’Brien-Łukasz, Zoë" })).toEqual(["accent"]);
  expect(await find({ q: '"Zoë O’Brien" <zoe@example.com>;' })).toEqual(["accent"]);
  expect(await find({ q: "خان، علی" })).toEqual(["urdu"]);
  expect(await find({ q: "张" })).toEqual(["chinese"]);
  expect(await find({ q: "xu" })).toEqual(["short"]);
  expect(await find({ q: "ALI.KHAN@example.com" })).toEqual(["urdu"]);
  expect(await find({ q: "example.com" })).toHaveLength(6);
  expect(await find({ q: "R-004242" })).toEqual(["accent"]);
  expect(await find({ q: "4242" })).toEqual(["accent"]);
  expect(await find({ q: "$1,234.56" })).toEqual(["short"]);
  expect(await find({ q: "1234" })).toEqual(["short"]);
  expect(await find({ q: "917" })).toEqual(["card"]);
  expect(await find({ q: "ab12cd34" })).toEqual(["secret"]);
  const { rows } = await site.pool.query("select reference from donations where id = $1", [ids.urdu]);
  expect(await find({ q: rows[0].reference.toLowerCase() })).toEqual(["urdu"]);
  expect(await find({ q: "100%" })).toEqual([]);
  expect(await find({ q: "'\\:*" })).toEqual([]);
});

test("DESK-1: a search for words names the people found, without an email in an address", async () => {
  const document = await open(address({ q: "khan" }));
  const links = [...document.querySelectorAll("#people a")];
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["علی خان", `/admin/people/${ids.urdu}`],
  ]);
  const secret = await open(address({ q: "quiet@example.com" }));
  expect(secret.querySelector("tbody th")?.textContent).toBe("Anonymous donor");
  expect(secret.querySelector("#people")).toBeNull();
});

test("DESK-2: each filter narrows the list, in the organisation's days", async () => {
  await make("midnight", {
    name: ["Late", "Donor"],
    email: "late@example.com",
    at: "2026-01-31T12:59:00Z",
    state: "failed",
    cents: 5000,
  });
  expect(await find({ from: "2026-01-31", to: "2026-01-31" })).toEqual(["midnight"]);
  expect(await find({ from: "2026-02-01" })).toEqual([]);
  expect(await find({ method: "pp" })).toEqual(["secret"]);
  expect(await find({ state: "declined" })).toEqual(["midnight"]);
  expect(await find({ fund: "ambulance" })).toEqual(["card"]);
  expect(await find({ min: "1000" })).toEqual(["short"]);
  expect(await find({ max: "50.00" })).toEqual(["midnight"]);
  expect(await find({ q: "example", state: "paid", from: "2026-01-08", to: "2026-01-09" })).toEqual([
    "short",
    "chinese",
  ]);
});

test("DESK-2: an invalid filter gets an error at its field, is not applied, and the other filters are", async () => {
  const wrong = { q: "khan", from: "2026-02-30", min: "lots", method: "cash", state: "paid" };
  const document = await open(address(wrong));
  const faults = ["from", "min", "method"].map((name) => {
    const field = document.getElementById(`filter-${name}`)!;
    return [field.getAttribute("aria-invalid"), document.getElementById(field.getAttribute("aria-describedby")!)];
  });
  for (const [invalid, message] of faults) {
    expect(invalid).toBe("true");
    expect((message as Element).textContent).toContain("Shown without it.");
  }
  expect(document.querySelector<HTMLInputElement>("#filter-min")?.value).toBe("lots");
  expect(document.querySelector("#filter-from")?.getAttribute("value")).toBe("2026-02-30");
  expect(document.querySelectorAll("tbody tr")).toHaveLength(1);
  const turned = await open(address({ from: "2026-01-09", to: "2026-01-01" }));
  expect(turned.getElementById("filter-to-error")?.textContent).toContain("before the first one");
  expect(turned.querySelectorAll("tbody tr")).toHaveLength(8);
});

test("DESK-2: a whole card number is neither searched for nor repeated", async () => {
  const { html } = await treasurer.get(address({ q: "4242 4242 4242 4242" }));
  expect(html).toContain("Search for the last three digits");
  expect(html).not.toContain("4242 4242");
});

test("DESK-3: the sums are those of the filtered donations; an empty list says what there is without each filter", async () => {
  const attempt = await make("refunded", {
    name: ["Omar", "Farouk"],
    email: "omar@example.com",
    at: "2025-06-01T00:00:00Z",
    cents: 20_000,
  });
  await makeRefund(site.services.database, attempt, { "donations:zakat": 5000 });
  await make("unpaid", {
    name: ["Omar", "Farouk"],
    email: "omar@example.com",
    at: "2025-06-02T00:00:00Z",
    state: "failed",
  });
  const document = await open(address({ q: "omar" }));
  expect([...document.querySelectorAll("#sums dd")].map(({ textContent }) => textContent)).toEqual([
    "2",
    "of which one was paid",
    "$200.00",
    "$0.00",
    "$50.00",
    "$150.00",
  ]);
  const states = [...document.querySelectorAll("tbody .st")].map(({ textContent }) => textContent);
  expect(states).toEqual(["Declined", "Partly refunded"]);
  const nothing = await open(address({ q: "omar", from: "2026-01-01", method: "cc" }));
  expect(nothing.querySelector(".empty")?.textContent).toContain("Without the days there are 2.");
});

test("DESK-4: paging both ways skips and repeats nothing, even among donations of the same moment", async () => {
  const at = "2024-03-01T10:00:00.123Z";
  for (let place = 0; place < 60; place += 1) {
    await make(`same ${place}`, { name: ["Same", `Moment${place}`], email: "same@example.com", at });
  }
  const all = Object.entries(ids).filter(([key]) => key.startsWith("same"));
  const seen: string[][] = [];
  let path: string | null = address({ q: "same@example.com" });
  let back: string | null = null;
  while (path !== null) {
    const document: Document = await open(path);
    seen.push([...document.querySelectorAll("tbody tr")].map((row) => row.getAttribute("data-id")!));
    path = document.querySelector(".pager [rel=next]")?.getAttribute("href") ?? null;
    back = document.querySelector(".pager [rel=prev]")?.getAttribute("href") ?? null;
  }
  expect(seen.map((rows) => rows.length)).toEqual([25, 25, 10]);
  expect(seen.flat()).toEqual(
    all
      .map(([, id]) => id)
      .sort()
      .reverse(),
  );
  const newer = await open(back!);
  expect([...newer.querySelectorAll("tbody tr")].map((row) => row.getAttribute("data-id"))).toEqual(seen[1]);
});

test("DESK-5: without the right to see faith, no row, filter or address shows Zakat; with it, each look is recorded", async () => {
  const hidden = await open("/admin/donations", auditor);
  expect(hidden.querySelector("table")?.textContent).toContain("Not shown");
  expect(hidden.querySelector("table")?.textContent).not.toContain("Zakat");
  expect(hidden.querySelector("#filter-fund")?.textContent).not.toContain("Zakat");
  const refused = await open(address({ fund: "zakat", q: "grace" }), auditor);
  expect(refused.getElementById("filter-fund-error")?.textContent).toContain("You may not see");
  expect(refused.querySelectorAll("tbody tr")).toHaveLength(1);
  await open(address({ fund: "zakat" }));
  const { rows } = await site.pool.query("select actor, after from audit_trail where verb = 'faith.list'");
  expect(rows).toEqual([{ actor: treasurer.name, after: { filter: { fund: "zakat" } } }]);
});

test("DESK-6: search words stay out of the log, and other sites never learn them", async () => {
  const log = site.services.log as unknown as pino.Logger & { [stream: symbol]: { write(line: string): void } };
  const lines: string[] = [];
  const written = vi.spyOn(log[pino.symbols.streamSym]!, "write").mockImplementation((line) => void lines.push(line));
  log.level = "trace";
  const { headers } = await treasurer.get(address({ q: "whoever", min: "wrongly" }));
  await treasurer.get(`/admin/donations/nothing?q=whoever`);
  log.level = "silent";
  written.mockRestore();
  expect(lines.join("")).toContain('"route":"/admin/donations"');
  expect(lines.join("")).not.toMatch(/whoever|wrongly/);
  expect(headers["referrer-policy"]).toBe("same-origin");
});

test("DESK-11: the heads sort by time and by amount, in either direction, and paging keeps the order", async () => {
  const cents = [70_000, 10_000, 90_000, 50_000];
  for (const [place, each] of cents.entries()) {
    const at = `2023-05-0${place + 1}T00:00:00Z`;
    await make(`sorted ${each}`, { name: ["Sort", "Me"], email: "sort@example.com", at, cents: each });
  }
  const query = { q: "sort@example.com" };
  const document = await open(address(query));
  const headOf = (text: string, of: Document) =>
    [...of.querySelectorAll("th")].find(({ textContent }) => textContent === text)!;
  expect(headOf("When", document).getAttribute("aria-sort")).toBe("descending");
  const largest = headOf("Amount", document).querySelector("a")!.getAttribute("href")!;
  expect(await find({ ...query, sort: "largest" })).toEqual(
    cents.toSorted((one, other) => other - one).map((each) => `sorted ${each}`),
  );
  const sorted = await open(largest);
  expect(headOf("Amount", sorted).getAttribute("aria-sort")).toBe("descending");
  const smallest = headOf("Amount", sorted).querySelector("a")!.getAttribute("href")!;
  expect(smallest).toBe(address({ ...query, sort: "smallest" }));
  expect(await find({ ...query, sort: "oldest" })).toEqual(cents.map((each) => `sorted ${each}`));
  const whole = await open(address({ q: "same@example.com", sort: "oldest" }));
  const next = whole.querySelector(".pager [rel=next]")!;
  expect([next.textContent, next.getAttribute("href")]).toEqual(["Next", expect.stringContaining("sort=oldest")]);
  const wrong = await open(address({ ...query, sort: "sideways" }));
  expect(wrong.getElementById("filter-sort-error")?.textContent).toBe(
    "Choose an order from the list. Shown newest first.",
  );
  expect(wrong.querySelectorAll("tbody tr")).toHaveLength(4);
});

test("DESK-12: ticked rows are exported alone, and the trail says how many; without a tick, the list says so", async () => {
  const chosen = { only: "chosen", [`chosen-${ids["sorted 70000"]}`]: "1", [`chosen-${ids["sorted 90000"]}`]: "1" };
  const { status, html } = await treasurer.get(`/admin/donations.csv?${new URLSearchParams(chosen)}`);
  expect(status).toBe(200);
  expect(
    html
      .trim()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(",")[12]),
  ).toEqual(["900.00", "700.00"]);
  const { rows } = await site.pool.query(
    "select after from audit_trail where verb = 'donations.export' order by id desc limit 1",
  );
  expect(rows[0].after).toEqual({ filter: { chosen: "2" }, withGifts: false });
  const { status: refused, to } = await treasurer.get("/admin/donations.csv?only=chosen");
  expect([refused, to]).toEqual([302, "/admin/donations?only=chosen"]);
  expect((await open(to!)).querySelector("[role=alert]")?.textContent).toContain("No row was ticked");
  expect((await open("/admin/donations", auditor)).querySelector("table .box")).toBeNull();
});

test("REC-24: in the list of donations, a payment to review has no answer or is disputed, and is called that", async () => {
  await make("lost", {
    name: ["Lost", "Answer"],
    email: "lost@example.com",
    at: "2025-05-01T00:00:00Z",
    state: "unknown",
  });
  const page = await open(address({ state: "review" }));
  const words = (selector: string) => [...page.querySelectorAll(selector)].map(({ textContent }) => textContent);
  expect(new Set(words("tbody .st"))).toEqual(new Set(["No answer"]));
  expect(words(".views a").map((tab) => tab!.replace(/\d+$/, ""))).toEqual(
    expect.arrayContaining(["No answer", "Disputed"]),
  );
  expect(words(".views a").join()).not.toContain("review");
});
