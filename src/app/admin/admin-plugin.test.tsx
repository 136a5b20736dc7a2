import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { action, Refusal } from "#admin/actions.ts";
import { screen } from "#admin/screen.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { AppError } from "#shared/errors.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { addAdmin } from "./admin-plugin.ts";

const notes: string[] = [];

const write = action({
  path: "/admin/trial/:id/note",
  right: "donations.change",
  screen: "/admin/trial/:id",
  fields: z.object({ note: z.string().min(1, "Please write a note."), tag: z.array(z.string()).optional() }),
  run: async ({ fields: { note }, params, staff }) => {
    if (note === "refuse") throw new Refusal("Someone else has just changed this. Please read it again.");
    if (note === "wrong") throw new AppError("invalid_input", { fields: { note: ["This note is too odd."] } });
    if (note === "twice") throw new AppError("invalid_input", { fields: { note: ["Too odd."], tag: ["Unknown."] } });
    if (note === "fail") throw new Error("a secret detail");
    notes.push(`${staff.name} ${params.id} ${note}`);
    return { to: `/admin/trial/${params.id}`, toast: "The note is saved." };
  },
});
const erase = action({ ...write, path: "/admin/trial/:id/erase", needsProof: true });

const trial = screen({
  path: "/admin/trial/:id",
  right: "donations.see",
  section: "donations",
  load: async (_, { params }) => (params.id === "none" ? null : { id: params.id! }),
  title: ({ id }) => `Trial ${id}`,
  body: ({ id }, request) => (
    <>
      <h1>Trial</h1>
      {["note", "erase"].map((name) => (
        <ActionForm action={`/admin/trial/${id}/${name}`} id={name} request={request} key={name}>
          <TextField name="note" label="Note" />
        </ActionForm>
      ))}
    </>
  ),
});

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({}, { screens: [trial], actions: [write, erase] });
});
afterAll(() => site.close());

test("ADM-1: an address that does not say who may use it stops the start", async () => {
  const { default: Fastify } = await import("fastify");
  const build = { listScreens: () => [] } as never;
  const routes = [(admin: import("fastify").FastifyInstance) => void admin.get("/admin/forgotten", async () => "")];
  const options = {
    ...site.services,
    organisation: site.services.organisation.current,
    hasNoMail: false,
    isSecure: false,
    secretKey: "",
  };
  const files = { stylesheet: "", scripts: [] };
  await expect(addAdmin(Fastify(), { ...options, reads: {}, actions: [], routes, build, files })).rejects.toThrow(
    "/admin/forgotten does not say who may use it",
  );
});

test("ADM-2: without a session a screen redirects to the log-in and back, and shows nothing", async () => {
  const stranger = await site.openBrowser();
  const { status, to, html } = await stranger.get("/admin/trial/7?q=Amina");
  expect([status, to]).toEqual([302, `/admin/sign-in?${new URLSearchParams({ next: "/admin/trial/7?q=Amina" })}`]);
  expect(html).not.toContain("Trial");
});

test("ADM-3: without the right a screen and its form are refused, and the form does nothing", async () => {
  const auditor = await site.logIn("auditor");
  expect((await auditor.get("/admin/trial/7")).status).toBe(200);
  const refused = await auditor.post("/admin/trial/7/note", { note: "hello" });
  expect(refused.status).toBe(403);
  expect(refused.html).toContain("You need the right ‘Correct donations and receipts, and write notes’.");
  expect(refused.html).toContain("Whoever runs the server can give you this right.");
  const names = [await site.logIn("administrator"), await site.logIn("administrator")].map(({ name }) => name);
  const [one, other] = names.toSorted().map((name) => `\u2068${name}\u2069`);
  const { html } = await auditor.post("/admin/trial/7/note", { note: "hello" });
  expect(html).toContain(`${one} or ${other} can give you this right.`);
  expect(notes).toEqual([]);
});

test("ADM-16: a form that comes back begins with what happened, which takes the focus; each error has a link to its field", async () => {
  const treasurer = await site.logIn("treasurer");
  const sendNote = async (note: string) =>
    readPage((await treasurer.post("/admin/trial/7/note", { note })).html).querySelector("#note")!;
  const form = await sendNote("twice");
  const links = [...form.querySelectorAll("[autofocus][tabindex='-1'] [role=alert] a")];
  expect(links.map((link) => [link.getAttribute("href"), link.textContent])).toEqual([
    ["#note-note", "Too odd."],
    ["#note-tag", "Unknown."],
  ]);
  expect(form.querySelector("input#note-note[aria-invalid]")).not.toBeNull();
  expect(form.ownerDocument.title).toMatch(/^Error: /);
  for (const note of ["wrong", "refuse"]) {
    const focused = (await sendNote(note)).querySelector("[autofocus][tabindex='-1'][role=group]")!;
    const message = focused.querySelector("[role=alert]")!;
    const name = focused.ownerDocument.getElementById(focused.getAttribute("aria-labelledby")!)!.textContent;
    expect([name, name]).toEqual([message.textContent, expect.stringMatching(/./)]);
    expect(message.querySelector("a")?.hash).toBe(note === "wrong" ? "#note-note" : undefined);
  }
});

test("ADM-15: the bar at the bottom has four sections; More has the others, the account and the way out", async () => {
  const administrator = await site.logIn("administrator");
  const bar = readPage((await administrator.get("/admin")).html).querySelector(".tabs-bottom")!;
  const read = (selector: string) => [...bar.querySelectorAll(selector)].map(({ textContent }) => textContent);
  expect(read(":scope > a")).toEqual(["Dashboard", "Donations", "Events", "Volunteers"]);
  expect(read("summary")).toEqual(["More"]);
  expect(read(".pop a")).toEqual(["Content", "Settings", `${administrator.name}, your account`]);
  expect(read("form[action='/admin/log-out'] button")).toEqual(["Log out"]);
});

test("ADM-4: wrong input comes back beside its field with what was typed; a refusal and a failure say what to do", async () => {
  const treasurer = await site.logIn("treasurer");
  const empty = readPage((await treasurer.post("/admin/trial/7/note", { note: "" })).html);
  const input = empty.querySelector("#note input")!;
  expect(input.getAttribute("aria-invalid")).toBe("true");
  expect(empty.getElementById(input.getAttribute("aria-describedby")!)?.textContent).toBe("Please write a note.");
  expect(empty.querySelector("#erase .err")).toBeNull();

  const wrong = await treasurer.post("/admin/trial/7/note", { note: "wrong" });
  expect(wrong.status).toBe(422);
  expect(readPage(wrong.html).querySelector("#note input")?.getAttribute("value")).toBe("wrong");
  const refused = await treasurer.post("/admin/trial/7/note", { note: "refuse" });
  expect(refused.status).toBe(409);
  expect(readPage(refused.html).querySelector("#note [role=alert]")?.textContent).toContain("Please read it again.");
  const failed = await treasurer.post("/admin/trial/7/note", { note: "fail" });
  expect(failed.status).toBe(500);
  expect(failed.html).toMatch(/incident number [\w-]+/);
  expect(failed.html).not.toContain("a secret detail");
  expect(notes).toEqual([]);
});

test("ADM-5: a form that worked leads to its screen, where a toast says so once", async () => {
  const treasurer = await site.logIn("treasurer");
  const done = await treasurer.post("/admin/trial/7/note", { note: "Thank you\r\ncalled", tag: ["a", "b"] });
  expect([done.status, done.to]).toEqual([303, "/admin/trial/7"]);
  expect(notes.splice(0)).toEqual([`${treasurer.name} 7 Thank you\ncalled`]);
  expect((await treasurer.get("/admin/trial/7")).html).toContain("The note is saved.");
  expect((await treasurer.get("/admin/trial/7")).html).not.toContain("The note is saved.");
});

test("ADM-5, ADM-11: a toast's cookie that is not ours shows nothing, and leads no form out of the back office", async () => {
  const treasurer = await site.logIn("treasurer");
  const undo = { path: "/admin/trial/7/note", fields: { note: "back" } };
  for (const [cookie, shown] of [
    [JSON.stringify({ message: "Moved <b>.", undo }), true],
    [JSON.stringify({ message: "Moved.", undo: { ...undo, path: "//evil.example/admin" } }), false],
    [JSON.stringify({ message: 7 }), false],
    ["Moved.", false],
  ] as const) {
    treasurer.visitor.cookies.set("toast", encodeURIComponent(cookie));
    const page = readPage((await treasurer.get("/admin/trial/7")).html);
    expect(page.querySelector(".toast")?.textContent ?? "").toBe(shown ? "Moved <b>.Undo" : "");
    expect(page.querySelector(".toast form")?.getAttribute("action") ?? null).toBe(shown ? undo.path : null);
  }
});

test("ADM-11: over https a toast's cookie is bound to this host, so that a neighbouring one cannot plant an Undo", async () => {
  const https = await openAdminSite(
    { PUBLIC_URL: "https://give.example" },
    { screens: [trial], actions: [write, erase] },
  );
  const { visitor, get, post } = await https.logIn("treasurer");
  visitor.cookies.set("__Host-staff", visitor.cookies.get("staff")!);
  const undo = { path: "/admin/trial/7/note", fields: { note: "planted" } };
  visitor.cookies.set("toast", encodeURIComponent(JSON.stringify({ said: "Planted.", undo })));
  expect((await get("/admin/trial/7")).html).not.toContain("Planted.");
  const { headers } = await post("/admin/trial/7/note", { note: "Our own" });
  expect(headers["set-cookie"]).toMatch(/^__Host-toast=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  expect((await get("/admin/trial/7")).html).toContain("The note is saved.");
  expect(visitor.cookies.has("__Host-toast")).toBe(false);
  notes.splice(0);
  await https.close();
});

test("ADM-17: /admin/settings leads to the first screen of settings that the person may see", async () => {
  const open = async (role: "treasurer" | "coordinator") => {
    const { status, to } = await (await site.logIn(role)).get("/admin/settings");
    return [status, to];
  };
  expect(await open("treasurer")).toEqual([302, "/admin/settings/organisation"]);
  expect(await open("coordinator")).toEqual([404, undefined]);
});

test("ADM-6: a screen is never cached, indexed or framed, and sends its address to nobody", async () => {
  const { headers } = await (await site.logIn("auditor")).get("/admin/trial/7");
  expect(headers).toMatchObject({
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
    "referrer-policy": "same-origin",
  });
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
});

test("ADM-7: a role taken away, or an account ended, takes effect at the next request", async () => {
  const treasurer = await site.logIn("treasurer");
  const { database, clock } = { ...site.services, clock: site.clock };
  const change = (changes: object) =>
    database.updateTable("staff").set(changes).where("id", "=", treasurer.id).execute();
  await change({ roles: ["auditor"] });
  expect((await treasurer.post("/admin/trial/7/note", { note: "hello" })).status).toBe(403);
  await change({ state: "ended", ended_at: clock.now() });
  expect((await treasurer.get("/admin/trial/7")).status).toBe(302);
});

test("ADM-8: an unknown address gets a page of the back office, with status 404", async () => {
  const page = await (await site.logIn("auditor")).get("/admin/trial/none");
  expect(page.status).toBe(404);
  expect(page.html).toContain("There is nothing at this address.");
});

test("ADM-8: a mistyped address leads whoever is logged in back by the menu, and tells a stranger nothing", async () => {
  const auditor = await site.logIn("auditor");
  const stranger = await site.openBrowser();
  for (const path of ["/admin/donatoins", "/admin/donations/1/2/3?q=x"]) {
    const { status, html, headers } = await auditor.get(path);
    const page = readPage(html);
    expect([status, page.querySelector("h1")?.textContent]).toEqual([404, "This page does not exist"]);
    expect(page.querySelector('nav a[href="/admin/donations"]')).not.toBeNull();
    expect(page.querySelector('main a[href="/admin"]')?.textContent).toBe("Go to the dashboard");
    expect(headers["cache-control"]).toBe("private, no-store");
    const theirs = await stranger.get(path);
    expect([theirs.status, theirs.html.includes("This page does not exist")]).toEqual([404, false]);
  }
  expect((await auditor.get("/donatoins")).html).not.toContain("This page does not exist");
});

test("ADM-10: a body that is not a form does nothing and breaks nothing, with a session and without", async () => {
  const bodies = [
    { payload: "null", headers: { "content-type": "application/json" } },
    { payload: '{"note":"hello"}', headers: { "content-type": "application/json" } },
    { payload: "--x--", headers: { "content-type": "multipart/form-data; boundary=x" } },
    { payload: "__proto__=1&note=%00%ff", headers: { "content-type": "application/x-www-form-urlencoded" } },
    {},
  ];
  for (const { visitor } of [await site.logIn("treasurer"), await site.openBrowser()]) {
    const answers = await Promise.all(
      bodies.map((body) => visitor.ask({ method: "POST", url: "/admin/trial/7/note", ...body })),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.slice(0, 3)).toEqual([415, 415, 415]);
    expect(Math.max(...statuses)).toBeLessThan(500);
  }
});
