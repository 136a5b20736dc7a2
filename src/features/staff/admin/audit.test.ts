import { afterAll, beforeAll, expect, test } from "vitest";
import { commandLine, recordAct } from "#admin/audit.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";

type Staff = Awaited<ReturnType<AdminSite["logIn"]>>;

let site: AdminSite;
let amina: Staff;
let yusuf: Staff;
beforeAll(async () => {
  site = await openAdminSite();
  amina = await site.logIn("administrator");
  yusuf = await site.logIn("auditor");
  const { database } = site.services;
  const by = (staff: Staff) => ({ staff, ipAddress: "203.0.113.9" });
  const at = (day: string) => new Date(`${day}T12:00:00+11:00`);
  const about = { subject: "staff", subjectId: String(yusuf.id) };
  const roles = { before: { roles: ["treasurer"] }, after: { roles: ["auditor"] } };
  await recordAct(database, by(amina), { verb: "staff.change-roles", ...about, ...roles }, at("2026-11-20"));
  const parcel = { subject: "parcel", subjectId: "P-1", reason: "=HYPERLINK(1)" };
  await recordAct(database, by(amina), { verb: "parcel.send", ...parcel }, at("2026-11-21"));
  await recordAct(database, commandLine, { verb: "staff.reset", ...about, reason: "Lost <b>phone" }, at("2026-11-22"));
});
afterAll(() => site.close());

const readTable = (html: string) =>
  [...readPage(html).querySelectorAll("tbody tr")].map((row) => ({
    when: row.children[0]!.textContent,
    who: row.children[1]!.textContent,
    what: row.children[2]!.textContent,
    from: row.children[3]!.textContent,
  }));
const listWhat = async (query: string, staff: Staff = amina) =>
  readTable((await staff.get(`/admin/audit${query}`)).html).map(({ what }) => what);

test("AUD-1: each act is a sentence that says who did what to whom, when, from where and why", async () => {
  const { status, html } = await yusuf.get("/admin/audit");
  expect(status).toBe(200);
  const [reset, parcel, roles] = readTable(html);
  expect(reset).toMatchObject({
    who: "Command on the server",
    what: `reset the log-in of ${yusuf.name}“Lost <b>phone”`,
    from: "Server",
  });
  expect(parcel).toMatchObject({ who: amina.name, what: "did “parcel.send” to parcel P-1“=HYPERLINK(1)”" });
  expect(roles!.what).toBe(`changed the roles of ${yusuf.name}Before and afterRolesBefore: TreasurerAfter: Auditor`);
  expect(roles!.from).toBe("203.0.113.9");
  expect(roles!.when).toMatch(/12:00:00 pm$/);
  const link = readPage(html).querySelector(`tbody a[href="/admin/staff/${yusuf.id}"]`);
  expect(link?.textContent).toBe(yusuf.name);
});

test("AUD-2: the trail is filtered by person, kind of act, thing and days, all in the address", async () => {
  const reset = `reset the log-in of ${yusuf.name}“Lost <b>phone”`;
  const parcel = "did “parcel.send” to parcel P-1“=HYPERLINK(1)”";
  expect(await listWhat("?who=commands")).toEqual([reset]);
  expect(await listWhat(`?who=${amina.id}`)).toHaveLength(2);
  expect(await listWhat(`?who=${amina.id}&what=parcel`)).toEqual([parcel]);
  expect(await listWhat(`?q=${encodeURIComponent(yusuf.name.toUpperCase())}`)).toHaveLength(2);
  expect(await listWhat("?q=nobody")).toEqual([]);
  expect(await listWhat("?from=2026-11-21&to=2026-11-21")).toEqual([parcel]);
  // Midnight in Sydney, not in UTC.
  expect(await listWhat("?to=2026-11-20")).toHaveLength(1);
  const page = readPage((await amina.get("/admin/audit?who=commands&from=2026-11-21")).html);
  expect(page.querySelector("select[name=who] option[selected]")?.textContent).toBe("Commands on the server");
  expect([...page.querySelectorAll(".chip")].map((chip) => chip.getAttribute("href"))).toEqual([
    "/admin/audit?from=2026-11-21",
    "/admin/audit?who=commands",
  ]);
});

test("AUD-2: an invalid date gets an error at its field, and the other filters apply", async () => {
  const { status, html } = await amina.get("/admin/audit?who=commands&from=2026-02-31&to=0001-01-01");
  expect(status).toBe(200);
  const page = readPage(html);
  for (const name of ["from", "to"]) {
    const input = page.querySelector(`input[name=${name}]`)!;
    expect(input.getAttribute("aria-invalid")).toBe("true");
    expect(page.getElementById(input.getAttribute("aria-describedby")!)?.textContent).toBe(
      "Enter a date, such as 2026-11-22.",
    );
  }
  expect(readTable(html)).toHaveLength(1);
  const backwards = readPage((await amina.get("/admin/audit?from=2026-11-22&to=2026-11-20")).html);
  expect(backwards.getElementById("filter-to-error")?.textContent).toBe("This is before the first day.");
});

test("AUD-2: the screen answers whatever the address contains", async () => {
  for (const query of ["who=-1", "who=9999999999999999", "what=%00", "q=%00%27", "before=x", "after=0", "from=%00"]) {
    expect((await amina.get(`/admin/audit?${query}`)).status, query).toBe(200);
  }
});

test("AUD-2: Older and Newer lead through all acts, each once, and back", async () => {
  const { database } = site.services;
  await database
    .insertInto("audit_trail")
    .values(
      Array.from({ length: 130 }, (_, at) => ({
        at: new Date(),
        staff_id: null,
        actor: "Count",
        ip_address: "",
        verb: "count.up",
        subject: "count",
        subject_id: String(at),
      })),
    )
    .execute();
  const seen: string[] = [];
  let url: string | undefined = "/admin/audit?what=count";
  const pages: string[] = [];
  while (url !== undefined) {
    pages.push(url);
    const html: string = (await amina.get(url)).html;
    seen.push(...readTable(html).map(({ what }) => what!));
    url = readPage(html).querySelector(".pager [rel=next]")?.getAttribute("href") ?? undefined;
  }
  expect(pages).toHaveLength(3);
  expect(seen).toEqual(Array.from({ length: 130 }, (_, at) => `did “count.up” to count ${129 - at}`));

  const last = readPage((await amina.get(pages[2]!)).html);
  const back = await listWhat(
    last
      .querySelector(".pager [rel=prev]")!
      .getAttribute("href")!
      .replace(/^[^?]*/, ""),
  );
  expect(back).toEqual(seen.slice(50, 100));
});

/** A field of RFC 4180. */
const readCsv = (text: string) =>
  text
    .split("\r\n")
    .filter(Boolean)
    .map((row) =>
      [...row.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g)].map(([, quoted, bare]) => bare ?? quoted!.replaceAll('""', '"')),
    );

test("AUD-3: the export has the filtered acts, oldest first, with formulas made harmless, and is recorded", async () => {
  const { status, html, headers } = await amina.get("/admin/audit.csv?to=2026-11-21&from=2026-11-20");
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(headers["content-disposition"]).toMatch(/^attachment; filename="audit-trail-\d{4}-\d\d-\d\d\.csv"$/);
  expect(headers["cache-control"]).toBe("private, no-store");
  expect(html.startsWith("\ufeff")).toBe(true);
  const [headings, ...rows] = readCsv(html.slice(1));
  expect(headings!.slice(0, 4)).toEqual(["Number", "Time in Sydney", "Who", "What"]);
  expect(rows.map((row) => row.slice(1))).toEqual([
    [
      "2026-11-20T12:00:00+11:00",
      amina.name,
      "changed the roles of",
      yusuf.name,
      "staff.change-roles",
      "staff",
      String(yusuf.id),
      "",
      '{"roles":["treasurer"]}',
      '{"roles":["auditor"]}',
      "203.0.113.9",
    ],
    [
      "2026-11-21T12:00:00+11:00",
      amina.name,
      "did “parcel.send” to",
      "parcel P-1",
      "parcel.send",
      "parcel",
      "P-1",
      "'=HYPERLINK(1)",
      "",
      "",
      "203.0.113.9",
    ],
  ]);
  const [exported] = readTable((await amina.get("/admin/audit?what=export")).html);
  expect(exported!.who).toBe(amina.name);
  expect(exported!.what).toContain("exported the audit trail");
  expect(exported!.what).toContain("From20 November 2026");
});

test("AUD-3: a filter with an invalid or reversed date exports nothing, and leads to the screen, which says so", async () => {
  for (const query of ["from=2026-02-31", "from=2026-11-22&to=2026-11-20"]) {
    const { status, to } = await amina.get(`/admin/audit.csv?${query}`);
    expect([status, to]).toEqual([302, `/admin/audit?${query}`]);
  }
});

test("AUD-3: the trail records that an export had search words, but never the words", async () => {
  expect((await amina.get("/admin/audit.csv?q=farid%40example.org")).status).toBe(200);
  const recorded = await site.database
    .selectFrom("audit_trail")
    .select("after")
    .where("verb", "=", "export.audit")
    .execute();
  expect(recorded).toContainEqual({ after: { format: "csv", q: "with search words" } });
  expect(JSON.stringify(recorded)).not.toContain("farid");
});

test("AUD-3: a person or kind of act that no filter has is neither recorded with an export nor stops it", async () => {
  expect((await amina.get("/admin/audit.csv?who=farid%40example.org&what=%00&from=2026-11-20")).status).toBe(200);
  const { rows } = await site.pool.query("select after from audit_trail order by id desc limit 1");
  expect(rows[0].after).toEqual({ format: "csv", from: "2026-11-20" });
});

test("AUD-3: an export of several chunks has each act once, its own included", async () => {
  await site.database
    .insertInto("audit_trail")
    .values(
      Array.from({ length: 2500 }, (_, at) => ({
        at: new Date(),
        staff_id: null,
        actor: "Many",
        ip_address: "",
        verb: "many.up",
        subject: "many",
        subject_id: String(at),
      })),
    )
    .execute();
  const rows = readCsv((await amina.get("/admin/audit.csv")).html.slice(1)).slice(1);
  const numbers = rows.map(([number]) => Number(number));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
  expect(rows.filter((row) => row[5] === "many.up")).toHaveLength(2500);
  expect(rows.at(-1)![5]).toBe("export.audit");
});

test("AUD-3: the export asks for a new proof after ten minutes, and only for people with the right", async () => {
  const treasurer = await site.logIn("treasurer");
  expect((await treasurer.get("/admin/audit.csv")).status).toBe(403);
  expect((await treasurer.get("/admin/audit")).status).toBe(403);
  const other = await site.logIn("auditor");
  await site.database
    .updateTable("staff_sessions")
    .set({ proved_at: new Date(Date.now() - 11 * 60_000) })
    .where("staff_id", "=", other.id)
    .execute();
  const asked = await other.get("/admin/audit.csv");
  expect([asked.status, asked.to]).toEqual([302, "/admin/confirm?next=%2Fadmin%2Faudit.csv"]);
});

test("AUD-4: nothing in the trail can be changed or deleted", async () => {
  for (const statement of ["update audit_trail set reason = 'x'", "delete from audit_trail", "truncate audit_trail"]) {
    await expect(site.pool.query(statement), statement).rejects.toThrow();
  }
});

test("AUD-2: each kind of act has a name in the filter", async () => {
  const { html } = await amina.get("/admin/audit");
  const options = [...readPage(html).querySelectorAll("select[name=what] option")];
  expect(options.length).toBeGreaterThan(30);
  for (const { textContent } of options) expect(textContent).toMatch(/^[A-Z]/);
});

test("RFD-5, AUD-1: a refund that was sent is not called refunded, because the provider may refuse it", async () => {
  const act = { verb: "refund.make", subject: "donation", subjectId: crypto.randomUUID() };
  await recordAct(site.services.database, { staff: amina, ipAddress: "203.0.113.9" }, act, new Date());
  const [what] = await listWhat("?what=refund");
  expect(what).toContain("started a refund of donation");
  expect(what).not.toContain("refunded");
});
