import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { clockIn } from "#shared/language.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";

let site: AdminSite;
let claire: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  claire = await site.logIn("editor");
});
beforeEach(() => site.pool.query("delete from banners"));
afterAll(() => site.close());

const MINUTE = 60_000;
/** So many minutes from now, as the form sends it. */
const inMinutes = (minutes: number) =>
  clockIn("Australia/Sydney", new Date(site.clock.now().getTime() + minutes * MINUTE)).slice(0, 16);

type Typed = Record<string, string>;
const typed = (changes: Typed = {}): Typed => ({
  title: "Ramadan appeal",
  link_label: "Give now",
  link_address: "/donation",
  starts_at: inMinutes(-1),
  ends_at: inMinutes(60),
  next: "publish",
  form: randomUUID(),
  ...changes,
});
const publish = (changes: Typed = {}) => claire.post("/admin/banners/new", typed(changes));

async function currentBanner() {
  await site.services.banners.refresh();
  return site.services.banners.current();
}

test("BAN-1: an editor publishes a banner with a text, a link and times, which shows from its beginning", async () => {
  expect((await claire.get("/admin/banners/new")).html).toContain(`value="${inMinutes(0)}"`);
  const { status, to, html } = await publish();
  expect(status, html).toBe(303);
  expect(await currentBanner()).toEqual({
    key: expect.stringMatching(/^\d+-20/),
    text: "Ramadan appeal",
    link: { label: "Give now", address: "/donation" },
  });
  expect((await claire.get("/admin/banners")).html).toMatch(/\d{4}, \d+:\d\d\s[ap]m to \d+\s/);
  await claire.post(to!, { ...typed({ title: "Ramadan appeal 2027" }), from: "1" });
  const acts = await site.pool.query("select verb from audit_trail where subject = 'banners' order by id");
  expect(acts.rows.map(({ verb }) => verb)).toEqual([
    "banners.create",
    "banners.publish",
    "banners.save",
    "banners.publish",
  ]);
  await claire.post(to!, { ...typed({ title: "Ramadan appeal 2027" }), from: "2", next: "take-down" });
  expect(await currentBanner()).toBeNull();
});

test.each<[string, Typed, string]>([
  ["no text", { title: " " }, "Write what it says."],
  ["a text too long", { title: "a".repeat(141) }, "Shorten this to at most 140 characters."],
  ["no end", { ends_at: "" }, "Say when it ends before you publish."],
  ["no beginning", { starts_at: "" }, "Say when it begins before you publish."],
  ["a day that is none", { ends_at: "2027-02-30T07:00" }, "Enter a day and a time, such as 2026-11-24 07:00."],
  [
    "an end before the beginning",
    { starts_at: "2099-02-02T07:00", ends_at: "2099-02-02T07:00" },
    "Choose an end after",
  ],
  ["an end in the past", { starts_at: "2020-01-01T07:00", ends_at: "2020-01-02T07:00" }, "This time has passed."],
  ["an end years away", { ends_at: "2099-01-01T00:00" }, "Choose an end within a year of the start"],
  ["a link without words", { link_label: "" }, "Enter the link text, or remove the address."],
  ["a link that leads nowhere", { link_address: "" }, "Enter the link’s address, or remove its text."],
  ["a script as its link", { link_address: "javascript:alert(1)" }, "Enter a page on this site, such as /donation"],
  ["another site as a path", { link_address: "//evil.example" }, "Enter a page on this site, such as /donation"],
])("BAN-2: %s is refused with a sentence, and nothing that was typed is lost", async (_, changes, sentence) => {
  const { status, html } = await publish(changes);
  expect(status).toBe(422);
  expect(html).toContain(sentence);
  expect(html).toContain(`value="${{ ...typed(), ...changes }.ends_at}"`);
  expect(await currentBanner()).toBeNull();
});

test("BAN-2: a banner whose link leads nowhere here says so before it is published", async () => {
  const { to } = await publish({ link_address: "/no-such-page?x=1", next: "save" });
  expect((await claire.get(to!)).html).toContain("This leads nowhere on this site: /no-such-page");
});

test("BAN-3: the privacy policy says that the browser remembers what was closed", async () => {
  const { rows } = await site.pool.query("select html from pages where type = 'privacy'");
  expect(rows[0].html).toContain("chose to give as a guest, and which announcements you have closed. Card details");
});

test("BAN-3: a corrected text is the same announcement, another time a new one", async () => {
  const { to } = await publish({ title: "Ramadn appeal" });
  const first = (await currentBanner())!;
  const times = { starts_at: inMinutes(-1), ends_at: inMinutes(60) };
  await claire.post(to!, { ...typed(times), from: "1" });
  const corrected = (await currentBanner())!;
  expect([corrected.text, corrected.key]).toEqual(["Ramadan appeal", first.key]);
  await claire.post(to!, { ...typed({ starts_at: inMinutes(-30) }), from: "2" });
  expect((await currentBanner())!.key).not.toBe(first.key);
});

// Last, because it moves the clock on: sessions have ended by then.
test("BAN-4: it begins and ends at its minute, and of several the one that began last shows", async () => {
  await publish({ title: "Appeal", starts_at: inMinutes(5), ends_at: inMinutes(60) });
  await publish({ title: "Notice", starts_at: inMinutes(10), ends_at: inMinutes(20) });
  await site.services.banners.refresh();
  const { current } = site.services.banners;
  const start = site.clock.now();
  const seen: [number, string | undefined][] = [];
  for (let seconds = 0; seconds <= 61 * 60; seconds += 1) {
    const text = current()?.text;
    if (text !== seen.at(-1)?.[1] || seconds === 0) seen.push([seconds, text]);
    site.clock.advance(1000);
  }
  const early = start.getTime() % MINUTE;
  const expected = [5, 10, 20, 60].map((minute) => minute * 60 - early / 1000);
  expect(seen.map(([, text]) => text)).toEqual([undefined, "Appeal", "Notice", "Appeal", undefined]);
  for (const [at, [seconds]] of seen.slice(1).entries()) expect(Math.abs(seconds - expected[at]!)).toBeLessThan(10);
});
