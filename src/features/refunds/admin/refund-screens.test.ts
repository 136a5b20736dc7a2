import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeRefund } from "#database/factories.ts";
import { readPage } from "#test/read-page.ts";
import { openRefundSite, type RefundSite } from "#test/refund-site.ts";

let site: RefundSite;
type Person = Awaited<ReturnType<RefundSite["join"]>>;
let amina: Person;
let yusuf: Person;
let auditor: Person;
beforeAll(async () => {
  site = await openRefundSite();
  amina = await site.join("treasurer");
  yusuf = await site.join("treasurer");
  auditor = await site.join("auditor");
});
afterEach(async () => {
  await site.simulator.clearFaults();
  site.nextDay();
  for (const person of [amina, yusuf, auditor]) await logInAgain(person);
});
afterAll(() => site.close());

/** A day later everybody is logged out, so both log in again. */
async function logInAgain(person: Person) {
  person.browser = { ...(await site.openBrowser(person.id)), id: person.id, name: person.name };
}

const textOf = (html: string) => readPage(html).querySelector("main")!.textContent!.replace(/\s+/g, " ");

/** The refund form as a browser shows it: its fields, and what the button says. */
async function show({ browser }: Person, donationId: string) {
  const { status, html } = await browser.get(`/admin/donations/${donationId}/refund`);
  return { status, ...readForm(html), text: textOf(html) };
}

function readForm(html: string) {
  const form = readPage(html).querySelector<HTMLFormElement>("form#refund");
  if (form === null)
    return { fields: {} as Record<string, string>, button: null, errors: [] as string[], message: null };
  const inputs = [...form.querySelectorAll<HTMLInputElement>("input, textarea")];
  const sent = inputs.filter(({ type, checked }) => type !== "radio" || checked);
  return {
    fields: Object.fromEntries(sent.map(({ name, value }) => [name, value])),
    button: form.querySelector(".now button")!.textContent,
    errors: [...form.querySelectorAll(".err")].map(({ textContent }) => textContent),
    message: form.querySelector("[role=alert]")?.textContent ?? null,
  };
}

async function send({ browser }: Person, donationId: string, fields: Record<string, string>) {
  const answer = await browser.post(`/admin/donations/${donationId}/refund`, fields);
  return { ...answer, ...readForm(answer.html) };
}

/** A request that waits, of all of a gift, because its requester has refunded another today. */
async function request(person = amina) {
  for (const gift of [await site.gift(), await site.gift()]) {
    const { fields } = await show(person, gift);
    const { status, to } = await send(person, gift, { ...fields, reason: "Given twice" });
    expect(status).toBe(303);
    if ((await site.requestsOf(gift))[0]!.decision === null) return { donationId: gift, path: to! };
  }
  throw new Error("No request waits.");
}

const setStaff = (id: number, changes: object) =>
  site.database.updateTable("staff").set(changes).where("id", "=", id).execute();

test("RFD-2: for a refund within the limit the button says the amount, the screen what will happen, and the next screen the result", async () => {
  const gift = await site.gift();
  const { fields, button, text } = await show(amina, gift);
  expect(button).toBe("Refund $106.58");
  for (const told of [
    "PayWay returns it to the card that paid.",
    "If the charge is not complete yet, PayWay cancels it instead",
    /Receipt R-\d{6} becomes void once the money has gone back\./,
    "An email tells the donor",
    "Gifts $100.00 · Admin fee $5.00 · Merchant fee $1.58",
    "One person may refund $150.00 a day.",
  ]) {
    expect(text).toMatch(told);
  }
  const { status, to } = await send(amina, gift, { ...fields, reason: "Given twice" });
  expect([status, to]).toEqual([303, `/admin/refunds/${fields.form}`]);
  const { html } = await amina.browser.get(to!);
  expect(html).toContain("Refunded $106.58.");
  expect(textOf(html)).toContain("PayWay cancelled the charge before it was complete.");
  expect((await show(amina, gift)).text).toContain("All of this donation has been refunded, or is about to be.");
});

test("RFD-4: a part is refunded only by a button that says its amount; until then nothing is sent and everything typed stays", async () => {
  const gift = await site.gift();
  const { fields } = await show(amina, gift);
  const checked = await send(amina, gift, { ...fields, how: "part", amount: "25", reason: "Half was meant" });
  expect(checked.status).toBe(409);
  expect(checked.message).toBe("Nothing was sent yet. Check what happens with $25.00, then send it.");
  expect(checked.button).toBe("Refund $25.00");
  expect(checked.fields).toMatchObject({ how: "part", amount: "25", reason: "Half was meant", form: fields.form });
  const text = textOf(checked.html);
  expect(text).toMatch(/receipt R-\d{6} becomes void, and a new one for the \$81\.58 that we keep takes its place/);
  expect(text).toContain("A part can go back only once the charge is complete");
  expect(await site.refundsOf(gift)).toEqual([]);
  const { to } = await send(amina, gift, checked.fields);
  expect(await site.refundsOf(gift)).toMatchObject([
    { amount_cents: 2500, state: "requested", reason: "Half was meant" },
  ]);
  const waits = await amina.browser.get(to!);
  expect(waits.html).not.toContain("Refunded $25.00");
  expect(textOf(waits.html)).toContain(
    "Nothing has been refunded yet. The payment is not complete at PayWay yet, and until then only all of it can go back.",
  );
  const { html } = await amina.browser.get(`/admin/donations/${gift}`);
  expect(textOf(html)).toContain("PayWay did not take the refund yet. We try again.");
});

test.each([
  [{ amount: "ten" }, "Write the amount in dollars, such as 12.50."],
  [{ amount: "0" }, "The amount must be more than $0.00."],
  [{ amount: "-3" }, "The amount must be more than $0.00."],
  [{ amount: "1.234" }, "Write at most two digits after the point, such as 12.50."],
  [{ amount: "" }, "Please enter an amount."],
  [{ amount: "106.59" }, "Only $106.58 can still be refunded."],
  [{ amount: "10.00", reason: "  " }, "Please say why."],
])("RFD-4: of a part, %o comes back beside its field: %s", async (changes, fault) => {
  const gift = await site.gift();
  const { fields } = await show(amina, gift);
  const typed = { ...fields, how: "part", reason: "Given twice", ...changes };
  const { status, errors, fields: shown } = await send(amina, gift, typed);
  expect([status, errors]).toEqual([422, [fault]]);
  expect(shown).toMatchObject({ how: "part", amount: changes.amount });
  expect(await site.refundsOf(gift)).toEqual([]);
});

test("RFD-4: the same form sent again, by a double click or by going back, leads to the same refund", async () => {
  const gift = await site.gift();
  const { fields } = await show(amina, gift);
  const typed = { ...fields, reason: "Given twice" };
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(amina, gift, typed)));
  expect(new Set(answers.map(({ status, to }) => `${status} ${to}`))).toEqual(
    new Set([`303 /admin/refunds/${fields.form}`]),
  );
  expect((await send(amina, gift, typed)).to).toBe(`/admin/refunds/${fields.form}`);
  expect(await site.refundsOf(gift)).toHaveLength(1);
});

test("RFD-3: above the limit a refund is requested; the requester cannot approve it, another person can, and both see the result", async () => {
  const { donationId, path } = await request();
  const mine = await amina.browser.get(path);
  expect(mine.html).toContain("Requested. A second person has to approve the refund of $106.58.");
  expect(textOf(mine.html)).toContain("You requested this, so someone else has to approve it.");
  expect(readPage(mine.html).querySelector("form#approve")).toBeNull();
  const tried = await amina.browser.post(`${path}/approve`);
  expect(tried.status).toBe(409);
  expect(await site.refundsOf(donationId)).toEqual([]);

  const theirs = await yusuf.browser.get(path);
  expect(readPage(theirs.html).querySelector("form#approve button")?.textContent).toBe("Approve and refund $106.58");
  expect(textOf(theirs.html)).toMatch(/“Given twice”/);
  const done = await yusuf.browser.post(`${path}/approve`);
  expect([done.status, done.to]).toEqual([303, path]);
  const after = textOf((await amina.browser.get(path)).html);
  expect(after).toContain(`${yusuf.name} approved it.`);
  expect(after).toContain("Charge cancelled");
});

test("RFD-9: a refund that waits shows on its donation, in the list and on the person's page, until it is decided", async () => {
  const { donationId, path } = await request();
  const linksOn = async (address: string) => {
    const page = readPage((await auditor.browser.get(address)).html);
    const within = page.querySelector(`tr[data-id="${donationId}"]`) ?? page;
    return [...within.querySelectorAll(`h1 a[href="${path}"], .tl a[href="${path}"], .s-c a[href="${path}"]`)].map(
      ({ textContent }) => textContent,
    );
  };
  const addresses = [`/admin/donations/${donationId}`, "/admin/donations", `/admin/people/${donationId}`];
  const told = "A refund of $106.58 waits for approval";
  expect(await Promise.all(addresses.map(linksOn))).toEqual([[told, told], ["To approve"], ["To approve"]]);
  await yusuf.browser.post(`${path}/decline`, { reason: "He only gave once" });
  expect(await Promise.all(addresses.map(linksOn))).toEqual([[], [], []]);
});

test("RFD-3: declining needs a reason, the requester can withdraw, and an auditor sees everything and can do nothing", async () => {
  const { donationId, path } = await request();
  const page = await auditor.browser.get(path);
  expect(page.status).toBe(200);
  expect(readPage(page.html).querySelectorAll("main form")).toHaveLength(0);
  for (const act of ["approve", "decline", "withdraw"]) {
    expect((await auditor.browser.post(`${path}/${act}`, { reason: "x" })).status).toBe(403);
  }
  expect((await auditor.browser.get(`/admin/donations/${donationId}/refund`)).status).toBe(403);
  const empty = await yusuf.browser.post(`${path}/decline`, { reason: " " });
  expect(empty.status).toBe(422);
  expect(empty.html).toContain("Please say why.");
  await yusuf.browser.post(`${path}/decline`, { reason: "He only gave once" });
  const declined = textOf((await amina.browser.get(path)).html);
  expect(declined).toContain("Nothing was refunded.");
  expect(declined).toContain("“He only gave once”");
  expect((await amina.browser.post(`${path}/withdraw`)).status).toBe(409);
});

test("RFD-3: an approval that comes too late says so, although its form is gone", async () => {
  const { path } = await request();
  await amina.browser.post(`${path}/withdraw`);
  const late = await yusuf.browser.post(`${path}/approve`);
  expect(late.status).toBe(409);
  expect(readPage(late.html).querySelector("[role=alert]")?.textContent).toBe(
    "This request was withdrawn in the meantime. Nothing was refunded.",
  );
});

test("RFD-6: somebody whose role was taken away while they typed can neither see nor send the form", async () => {
  const leaver = await site.join("treasurer");
  const gift = await site.gift();
  const { fields } = await show(leaver, gift);
  await site.database
    .updateTable("staff")
    .set({ roles: ["auditor"] })
    .where("id", "=", leaver.id)
    .execute();
  expect((await send(leaver, gift, { ...fields, reason: "Given twice" })).status).toBe(403);
  expect(await site.refundsOf(gift)).toEqual([]);
});

test("RFD-6: if only one person may make refunds, the form and the request say that an administrator must invite another", async () => {
  const others = await site.database.selectFrom("staff").select(["id", "roles"]).where("id", "<>", amina.id).execute();
  const { path } = await request();
  await site.database
    .updateTable("staff")
    .set({ roles: ["auditor"] })
    .where("id", "<>", amina.id)
    .execute();
  const needsTwo = await show(amina, await site.gift());
  expect(needsTwo.button).toBe("Request a refund of $106.58");
  for (const text of [needsTwo.text, textOf((await amina.browser.get(path)).html)]) {
    expect(text).toContain("Nobody else may approve it");
    expect(text).toContain("An administrator must invite another person");
  }
  for (const { id, roles } of others) {
    await setStaff(id, { roles });
  }
});

test("RFD-4: after ten minutes the proof is asked for again; the form is kept as typed, and nothing was sent", async () => {
  const gift = await site.gift();
  const { fields } = await show(amina, gift);
  await site.database
    .updateTable("staff_sessions")
    .set({ proved_at: new Date(site.clock.now().getTime() - 11 * 60_000) })
    .where("staff_id", "=", amina.id)
    .execute();
  await setStaff(amina.id, { password_hash: "x", totp_secret: Buffer.from("x") });
  const typed = { ...fields, how: "part", amount: "25.00", shown: "2500", reason: "Half was meant" };
  const kept = await amina.browser.post(`/admin/donations/${gift}/refund`, typed);
  expect(kept.status).toBe(401);
  const carried = readPage(kept.html).querySelector<HTMLInputElement>("input[name=carried]")!.value;
  const back = await amina.browser.post("/admin/trial/proved", { carried });
  expect(back.status).toBe(200);
  expect(readForm(back.html)).toMatchObject({
    button: "Refund $25.00",
    fields: typed,
    errors: [],
    message: "Thank you. Nothing was sent yet: please check this, and send it again.",
  });
  expect(await site.refundsOf(gift)).toEqual([]);
  const approve = await request(yusuf).then(({ path }) => amina.browser.post(`${path}/approve`));
  expect(approve.status).toBe(401);
});

test("RFD-5: the list has what to approve first and the rest in pages, each refund once", async () => {
  const { path } = await request();
  const attemptId = await makeAttempt(site.database, await makeDonation(site.database), { state: "succeeded" });
  const first = { created_at: new Date("2026-01-01T00:00:00Z"), requested_by: "provider" } as const;
  const { refund } = await makeRefund(site.database, attemptId, { "donations:zakat": 1 }, first);
  await site.pool.query(
    `insert into refunds select (jsonb_populate_record(one, jsonb_build_object(
         'id', gen_random_uuid(), 'request_key', gen_random_uuid(), 'idempotency_key', gen_random_uuid(),
         'provider_transaction_id', gen_random_uuid(), 'order_reference', 'R-' || nth,
         'created_at', created_at + nth / 3 * interval '1 minute'))).*
       from refunds one, generate_series(1, 119) nth where one.id = $1`,
    [refund.id],
  );
  const seen: string[] = [];
  let pages = 0;
  for (let next: string | null = "/admin/refunds"; next !== null; pages += 1) {
    const page: Document = readPage((await auditor.browser.get(next)).html);
    const heads = [...page.querySelectorAll("main h2")].map(({ textContent }) => textContent);
    expect(heads[0]).toBe(pages === 0 ? "To approve" : "Done, older");
    seen.push(...[...page.querySelectorAll("tr[data-id]")].map((row) => row.getAttribute("data-id")!));
    next = page.querySelector("a[rel=next]")?.getAttribute("href") ?? null;
  }
  const { rows } = await site.pool.query(
    `select count(*)::integer as count from (select id from refund_requests union all
       select id from refunds where id not in (select refund_id from refund_requests where refund_id is not null)) as each`,
  );
  expect(pages).toBeGreaterThan(2);
  expect(seen).toHaveLength(rows[0].count);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toContain(path.split("/").at(-1));
  expect((await auditor.browser.get("/admin/refunds?after=nonsense")).status).toBe(200);
});

test.each([
  ["submitting", "Whether the money has gone back is not known."],
  ["unknown", "so it is not known whether the money has gone back"],
  [
    "failed",
    "PayWay did not make this refund. The card has expired, so the money has to go back another way. Code: 54.",
  ],
])("RFD-5: a refund that is %s says no more than is known", async (state, told) => {
  const gift = await site.gift();
  const { fields } = await show(amina, gift);
  const { to } = await send(amina, gift, {
    ...fields,
    how: "part",
    amount: "10",
    shown: "1000",
    reason: "Given twice",
  });
  await site.pool.query(
    `update refunds set state = $2, provider_status = 'PayWay''s refund is declined (54)', next_check_at = null, lease_until = null
      where attempt_id in (select id from payment_attempts where donation_id = $1)`,
    [gift, state],
  );
  const { html } = await amina.browser.get(to!);
  expect(textOf(html)).toContain(told);
  expect(textOf(html)).not.toMatch(/Refunded|returned it/);
  const list = readPage((await amina.browser.get("/admin/refunds")).html);
  const row = list.querySelector(`tr[data-id="${to!.split("/").at(-1)}"]`)!;
  expect(row.closest("section")!.querySelector("h2")!.textContent).toBe(state === "failed" ? "Not made" : "Under way");
  if (state === "failed") {
    expect((await amina.browser.get("/admin")).html).toContain("A refund was not made and needs attention");
    expect((await amina.browser.post(`${to}/by-hand`, { note: "Paid by transfer" })).status).toBe(303);
    const noted = textOf((await amina.browser.get(to!)).html);
    expect(noted).toContain("Dealt with by hand");
    expect(noted).toContain("The ledger knows nothing of that.");
    expect((await amina.browser.get("/admin")).html).not.toContain("needs attention<");
  }
});

test("RFD-8: the others who may decide get an email without the donor or the reason, unless it is decided by then", async () => {
  const { donationId, path } = await request();
  const { rows } = await site.pool.query(
    "select data from pgboss.job where name = 'emails' and data->>'template' = 'staff-refund-to-approve' and data->>'requestId' = $1",
    [path.split("/").at(-1)],
  );
  const recipients = rows.map(({ data }) => data.staffId);
  expect(recipients).toContain(yusuf.id);
  expect(recipients).not.toContain(amina.id);
  expect(recipients).not.toContain(auditor.id);
  const { findEmailWriter } = await import("#app/feature.ts");
  const write = findEmailWriter("staff-refund-to-approve");
  const { services } = site;
  const sender = { organisation: services.organisation.current(), publicUrl: services.config.publicUrl };
  const context = { database: services.database, config: services.config, now: services.now, sender };
  const job = rows.find(({ data }) => data.staffId === yusuf.id)!.data;
  const email = JSON.stringify(await write(context, job));
  expect(email).toContain(`A refund of $106.58 is waiting for your approval`);
  expect(email).toContain(path);
  const { reference } = await site.database
    .selectFrom("donations")
    .select("reference")
    .where("id", "=", donationId)
    .executeTakeFirstOrThrow();
  expect(email).toContain(reference);
  for (const hidden of ["Amina Raza", "amina@example.com", "Given twice"]) expect(email).not.toContain(hidden);
  await yusuf.browser.post(`${path}/approve`);
  expect(await write(context, job)).toBeNull();
});

test("RFD-8: the dashboard leads to each refund that waits, with its amount and who asked; many are one line", async () => {
  const lines = async () => {
    const { html } = await yusuf.browser.get("/admin");
    return [...readPage(html).querySelectorAll<HTMLAnchorElement>("main a[href^='/admin/refunds']")].map((link) =>
      link.textContent!.replace(/\s+/g, " "),
    );
  };
  for (let waiting = (await lines()).filter((line) => line.startsWith("Refund of")).length; waiting < 3; waiting += 1) {
    await request();
  }
  for (const line of await lines()) expect(line).toMatch(/^Refund of \$106\.58 for D-|^See refunds/);
  expect((await yusuf.browser.get("/admin")).html).toContain("asked for it.");
  await request();
  expect(await lines()).toContain("Approve or decline refunds");
  expect((await yusuf.browser.get("/admin")).html).toMatch(/\d refunds are waiting for a second person/);
  expect((await auditor.browser.get("/admin")).html).toContain("Nothing needs your attention.");
});

test("RFD-8: a request does not wait for whoever made it, alone or among several", async () => {
  const waiting = async ({ browser }: Person) => {
    const page = readPage((await browser.get("/admin")).html);
    const [, count] = /(\d+) refunds are waiting/.exec(page.querySelector("main")!.textContent!) ?? [];
    return Number(count ?? page.querySelectorAll("main a[href^='/admin/refunds/']").length);
  };
  const before = [await waiting(amina), await waiting(yusuf)];
  await request(amina);
  expect([await waiting(amina), await waiting(yusuf)]).toEqual([before[0], before[1]! + 1]);
});
