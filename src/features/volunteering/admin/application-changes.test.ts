import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, dayInSydney } from "#shared/language.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { wordsOf } from "#test/donation-pages.ts";
import { readPage } from "#test/read-page.ts";
import { makeApplication } from "#test/volunteer-rows.ts";

let site: AdminSite;
let coordinator: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  coordinator = await site.logIn("coordinator");
});
afterAll(() => site.close());

const daysAgo = (days: number) => new Date(site.clock.now().getTime() - days * 86_400_000);

test("VOLA-2: before anybody has applied, the list says so instead of asking for fewer filters", async () => {
  expect(wordsOf((await coordinator.get("/admin/volunteers/list")).html)).toContain("No applications yet");
  const { html } = await coordinator.get("/admin/volunteers/list?stage=waiting");
  expect(wordsOf(html)).toContain("No application matches.");
});

test("VOLA-1: while an applicant has a question of ours to answer, the application does not wait for us, however long ago we asked", async () => {
  const id = await makeApplication(site.database, {
    name: "Asked Long Ago",
    stage: "in_review",
    created_at: daysAgo(20),
    decided_at: daysAgo(19),
    asked_at: daysAgo(8),
  });
  const { html } = await coordinator.get("/admin/volunteers");
  expect(readPage(html).querySelector(`[data-id="${id}"] .ft`)?.textContent).toContain("Asked, 8 days");
  expect(wordsOf(html)).toContain("None has waited for us for more than five days.");
  expect(wordsOf((await coordinator.get("/admin")).html)).not.toContain("Asked Long Ago");
  expect(wordsOf((await coordinator.get(`/admin/volunteers/${id}`)).html)).not.toContain("Has waited");
  await site.pool.query("update volunteer_applications set asked_at = null where id = $1", [id]);
  expect(wordsOf((await coordinator.get("/admin")).html)).toContain("Asked Long Ago (19 days)");
});

test("VOLA-5: what a volunteer loses is read before the application is taken back into review, and before roles are changed", async () => {
  const decided_at = site.clock.now();
  const id = await makeApplication(site.database, { stage: "approved", roles: ["Events"], decided_at });
  const board = readPage((await coordinator.get("/admin/volunteers")).html);
  const move = board.querySelector(`[data-id="${id}"] [data-to="in_review"]`);
  expect(move?.getAttribute("href")).toBe(`/admin/volunteers/${id}?act=in_review#act`);
  const { html } = await coordinator.get(`/admin/volunteers/${id}?act=in_review`);
  expect(wordsOf(html)).toContain("They lose their roles and their places in coming shifts, and we email them");
  const version = readPage(html).querySelector<HTMLInputElement>("form#review [name=version]")!.value;
  const roles = await coordinator.get(`/admin/volunteers/${id}?act=roles`);
  expect(wordsOf(roles.html)).toContain("If they lose places in coming shifts, we email them about each.");
  expect((await coordinator.post(`/admin/volunteers/${id}/review`, { version })).status).toBe(303);
  expect(wordsOf((await coordinator.get(`/admin/volunteers/${id}`)).html)).toContain("took it back into review.");
});

test("VOLA-7: a check is not recorded over one that somebody has recorded in the meantime", async () => {
  const id = await makeApplication(site.database, { stage: "in_review" });
  const path = `/admin/volunteers/${id}`;
  const replaces = async () =>
    readPage((await coordinator.get(path)).html).querySelector<HTMLInputElement>("[name=replaces]")!.value;
  const expiresOn = addDays(dayInSydney(site.clock.now()), 365);
  const check = { state: "NSW", number: "WWC1234567E", kind: "volunteer", expiresOn, replaces: await replaces() };
  expect((await coordinator.post(`${path}/check`, { ...check, verified: "yes" })).status).toBe(303);
  const late = await coordinator.post(`${path}/check`, check);
  expect(late.status).toBe(409);
  expect(wordsOf(late.html)).toContain("Somebody has recorded a check in the meantime, so nothing was recorded.");
  expect(wordsOf((await coordinator.get(path)).html)).toContain(`Verified by ${coordinator.name}`);
  const renewed = await coordinator.post(`${path}/check`, { ...check, replaces: await replaces() });
  expect(renewed.status).toBe(303);
});

test("VOLA-7, VOLA-10: a check that counts until its renewal is verified is shown, and can still be recorded as no longer valid", async () => {
  const id = await makeApplication(site.database, { stage: "approved", roles: ["Events"], decided_at: daysAgo(1) });
  const path = `/admin/volunteers/${id}`;
  const today = dayInSydney(site.clock.now());
  const check = { state: "NSW", number: "WWC7654321E", kind: "volunteer", expiresOn: addDays(today, 60) };
  await coordinator.post(`${path}/check`, { ...check, verified: "yes" });
  const shown = async () => readPage((await coordinator.get(path)).html).querySelector("#check-section")!;
  expect((await shown()).textContent).not.toContain("the earlier one counts");
  await coordinator.post(`${path}/check`, { ...check, number: "WWC1111111E", expiresOn: addDays(today, 900) });
  const section = await shown();
  expect(section.textContent).toContain("the earlier one counts for shifts: NSW WWC7654321E");
  const revoked = { check: section.querySelector<HTMLInputElement>("form#revoke [name=check]")!.value };
  expect((await coordinator.post(`${path}/check/verify`, revoked)).status).toBe(409);
  expect((await coordinator.post(`${path}/check/revoke`, revoked)).status).toBe(303);
  const { rows } = await site.pool.query("select has_valid_check($1, $2) as counts", [id, today]);
  expect(rows).toEqual([{ counts: false }]);
  expect((await shown()).textContent).not.toContain("the earlier one counts");
  expect((await coordinator.post(`${path}/check/revoke`, revoked)).status).toBe(409);
});

test("VOLA-5: a decision that somebody else has made impossible leaves what was typed on the screen", async () => {
  const id = await makeApplication(site.database, { stage: "in_review" });
  const path = `/admin/volunteers/${id}`;
  await site.pool.query(
    "update volunteer_applications set stage = 'approved', roles = '{Fundraising}', stage_version = 2 where id = $1",
    [id],
  );
  const message = "We could not reach you for weeks.";
  const late = await coordinator.post(`${path}/declined`, { version: "1", subject: "S", message });
  expect(late.status).toBe(409);
  expect(wordsOf(late.html)).toContain(message);
});

test("VOLA-2: if everything on a page is gone in the meantime, the list begins at the top instead of saying that it is empty", async () => {
  const id = await makeApplication(site.database, { name: "Still Here" });
  for (const place of ["older=2001-01-01T00:00:00.000Z", "newer=2099-01-01T00:00:00.000Z"]) {
    const { html } = await coordinator.get(`/admin/volunteers/list?q=still&${place}_${id}`);
    expect(readPage(html).querySelector(`tr[data-id="${id}"]`), place).not.toBeNull();
  }
});

/** The hidden fields of a form on an application's screen. */
async function hiddenIn(path: string, form: string): Promise<Record<string, string>> {
  const inputs = readPage((await coordinator.get(path)).html).querySelectorAll<HTMLInputElement>(
    `form[action$="/${form}"] input[type=hidden]`,
  );
  return Object.fromEntries([...inputs].map(({ name, value }) => [name, value]));
}

test("VOLA-1, VOLA-6, DASH-1: once staff record that the answer to a question has come, the application waits for us again", async () => {
  const id = await makeApplication(site.database, {
    name: "Answers By Email",
    stage: "in_review",
    created_at: daysAgo(20),
    decided_at: daysAgo(9),
  });
  const path = `/admin/volunteers/${id}`;
  expect(wordsOf((await coordinator.get(path)).html)).not.toContain("The answer has come");
  const ask = async () => ({ ...(await hiddenIn(`${path}?act=ask`, "ask")), subject: "S", message: "Do you drive?" });
  expect((await coordinator.post(`${path}/ask`, await ask())).status).toBe(303);
  expect(wordsOf((await coordinator.get("/admin/volunteers/list")).html)).toContain("Asked, Today");
  expect(wordsOf((await coordinator.get("/admin")).html)).not.toContain("Answers By Email");
  const first = await hiddenIn(path, "answered");
  expect((await coordinator.post(`${path}/ask`, await ask())).status).toBe(303);
  // The answer to the first question is not one to the second, which a colleague has asked since.
  expect((await coordinator.post(`${path}/answered`, first)).status).toBe(409);
  expect((await coordinator.post(`${path}/answered`, await hiddenIn(path, "answered"))).status).toBe(303);
  const words = wordsOf((await coordinator.get(path)).html);
  expect(words).toContain(`${coordinator.name} noted:“The answer to our question has come.”`);
  expect(words).not.toContain("Asked for more");
  expect(wordsOf((await coordinator.get("/admin")).html)).toContain("Answers By Email (9 days)");
  const { rows } = await site.pool.query("select verb from audit_trail where subject_id = $1 order by id desc", [id]);
  expect(rows[0]).toEqual({ verb: "application.answered" });
});

test("VOLA-6: of two people who ask an applicant, the second is told first, with what they wrote kept; and so is who asks after a move", async () => {
  const id = await makeApplication(site.database, { stage: "in_review", email: "two@example.com" });
  const path = `/admin/volunteers/${id}`;
  const shown = await hiddenIn(`${path}?act=ask`, "ask");
  const post = (hidden: object, message: string) =>
    coordinator.post(`${path}/ask`, { ...hidden, subject: "S", message });
  const countAsked = async () => {
    const events =
      "select count(*)::integer as count from volunteer_events where application_id = $1 and event = 'asked'";
    return (await site.pool.query(events, [id])).rows[0].count;
  };
  expect((await post(shown, "Do you drive?")).status).toBe(303);
  const late = await post(shown, "Can you drive?");
  expect(late.status).toBe(409);
  expect(wordsOf(late.html)).toContain("The applicant has been asked something in the meantime, so nothing was sent.");
  const form = readPage(late.html).querySelector("form#ask")!;
  expect(form.querySelector("textarea")!.textContent).toBe("Can you drive?");
  expect(await countAsked()).toBe(1);
  const hidden = [...form.querySelectorAll<HTMLInputElement>("input[type=hidden]")];
  const again = Object.fromEntries(hidden.map(({ name, value }) => [name, value]));
  expect((await post(again, "Can you drive?")).status).toBe(303);
  expect(await countAsked()).toBe(2);

  const before = await hiddenIn(`${path}?act=ask`, "ask");
  expect((await coordinator.post(`${path}/waiting`, { version: "1", subject: "S", message: "M" })).status).toBe(303);
  const afterMove = await post(before, "Do you drive?");
  expect(afterMove.status).toBe(409);
  expect(wordsOf(afterMove.html)).toContain("it is now on the waiting list. Nothing was sent.");
  expect(await countAsked()).toBe(2);
});
