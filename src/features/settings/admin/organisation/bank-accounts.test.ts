import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { type SettingsEmailJob, writeSettingsEmail } from "../../server/emails.ts";

type Person = Awaited<ReturnType<AdminSite["logIn"]>>;

let site: AdminSite;
let asker: Person;
let other: Person;
beforeAll(async () => {
  site = await openAdminSite();
  asker = await site.logIn("administrator");
  other = await site.logIn("administrator");
});
afterAll(() => site.close());

const path = "/admin/settings/organisation";

/** Asks for this number of the only account, and returns the request’s address. */
async function ask(accountNumber: string, by = asker) {
  const from = /name="from" value="(\d+)"/.exec((await by.get(`${path}/banks`)).html)![1]!;
  const account = { bank: "Example Bank", accountName: "Example Foundation", bsb: "062-000", accountNumber };
  const fields = Object.fromEntries(Object.entries(account).map(([part, text]) => [`banks.0.${part}`, text]));
  return by.post(`${path}/banks`, { from, ...fields });
}

async function numbers() {
  await site.services.siteSettings.refresh();
  return site.services.organisation.current().banks.map((account) => account.accountNumber);
}

async function verbs() {
  const select = "select actor, verb from audit_trail where verb ~ '^(bank-accounts|organisation)' order by id";
  return (await site.pool.query(select)).rows.map(({ actor, verb }) => `${actor}: ${verb}`);
}

test("SET-10: new bank accounts wait for another administrator; whoever asked cannot approve them", async () => {
  const before = await numbers();
  const asked = await ask("1111 1111");
  expect([asked.status, asked.to]).toEqual([303, expect.stringMatching(/\/requests\/\d+$/)]);
  expect(await numbers()).toEqual(before);
  expect((await asker.get(path)).html).toContain("New bank accounts wait for another administrator");
  const line = `${asker.name} asks to change the bank accounts`;
  expect((await other.get("/admin")).html).toContain(line);
  expect((await asker.get("/admin")).html).not.toContain(line);

  const own = await asker.post(`${asked.to}/approve`);
  expect([own.status, own.html.includes("another administrator has to approve")]).toEqual([409, true]);
  expect((await (await site.logIn("treasurer")).post(`${asked.to}/approve`)).status).toBe(403);
  const second = await ask("2222 2222");
  expect([second.status, second.html.includes("has already asked")]).toEqual([409, true]);
  expect((await other.post(`${asked.to}/decline`, { reason: "" })).status).toBe(422);

  const { html } = await other.get(asked.to!);
  expect(html).toContain("1111 1111");
  expect(await other.post(`${asked.to}/approve`)).toMatchObject({ status: 303 });
  expect(await numbers()).toEqual(["1111 1111"]);
  expect(await verbs()).toEqual([
    `${asker.name}: bank-accounts.request`,
    `${other.name}: bank-accounts.approve`,
    `${other.name}: organisation.change`,
  ]);
});

test("SET-10: all administrators are told by email who asked, with the accounts now and as asked for", async () => {
  const asked = await ask("3333 3333");
  const select = `select data from pgboss.job where data->>'template' = 'bank-accounts-asked'
    and (data->>'actId')::bigint = (select max(id) from audit_trail)`;
  const jobs = (await site.pool.query<{ data: SettingsEmailJob }>(select)).rows;
  expect(new Set(jobs.map(({ data }) => data.toId))).toEqual(new Set([asker.id, other.id]));
  const sender = { organisation: site.services.organisation.current(), publicUrl: "http://site.example" };
  const { database } = site.services;
  const email = await writeSettingsEmail({ database, sender, config: {} }, jobs[0]!.data);
  expect(email?.subject).toContain(asker.name);
  expect(email?.text).toMatch(/Now: .*account 1111 1111\n[\s\S]*Asked for: .*account 3333 3333/);
  expect(email?.text).toContain(`http://site.example${asked.to}`);
  expect(await asker.post(`${asked.to}/withdraw`)).toMatchObject({ status: 303 });
  expect(await numbers()).toEqual(["1111 1111"]);
});

test("SET-10: of simultaneous decisions one counts, and the accounts follow it", async () => {
  const third = await site.logIn("administrator");
  for (let round = 0; round < 3; round += 1) {
    const number = `4444 444${round}`;
    const [earlier] = await numbers();
    const { to } = await ask(number);
    const answers = await Promise.all([
      other.post(`${to}/approve`),
      third.post(`${to}/approve`),
      third.post(`${to}/decline`, { reason: "A wrong digit" }),
      asker.post(`${to}/withdraw`),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409, 409]);
    const isApproved = answers.slice(0, 2).some(({ status }) => status === 303);
    expect(await numbers()).toEqual([isApproved ? number : earlier]);
  }
});

test("SET-10: the request of somebody who is no administrator any more cannot be approved, only declined", async () => {
  const former = await site.logIn("administrator");
  const before = await numbers();
  const { to } = await ask("4545 4545", former);
  await site.database
    .updateTable("staff")
    .set({ roles: ["treasurer"] })
    .where("id", "=", former.id)
    .execute();
  const refused = await other.post(`${to}/approve`);
  expect([refused.status, refused.html.includes("would not be two people’s decision")]).toEqual([409, true]);
  expect(await numbers()).toEqual(before);
  expect((await other.post(`${to}/decline`, { reason: "Left" })).status).toBe(303);
});

test("SET-10: a request over accounts that were changed meanwhile cannot be approved, only declined", async () => {
  const { to } = await ask("5555 5555");
  await site.pool.query(
    `update site_settings set value = jsonb_set(value, '{banks,0,accountNumber}', '"6666 6666"') where key = 'organisation'`,
  );
  const refused = await other.post(`${to}/approve`);
  expect([refused.status, refused.html.includes("have been changed since this was asked")]).toEqual([409, true]);
  expect(await numbers()).toEqual(["6666 6666"]);
  expect((await other.post(`${to}/decline`, { reason: "Ask again" })).status).toBe(303);
  expect((await other.get(to!)).html).toContain("This was declined.");
});

test("SET-10: a request is never deleted, and nothing but its decision is written, once, by the right person", async () => {
  const { to } = await ask("7777 7777");
  const id = Number(to!.split("/").at(-1));
  const decide = (decision: string, by: number, reason = "") =>
    site.pool.query(
      "update bank_account_requests set decision = $2, decided_by = $3, decided_at = now(), decision_reason = $4 where id = $1",
      [id, decision, by, reason],
    );
  await expect(site.pool.query("delete from bank_account_requests")).rejects.toThrow();
  await expect(site.pool.query("update bank_account_requests set banks = '[]' where id = $1", [id])).rejects.toThrow();
  await expect(decide("approved", asker.id)).rejects.toThrow("two_people");
  await expect(decide("withdrawn", other.id)).rejects.toThrow("two_people");
  await decide("declined", other.id, "No");
  await expect(decide("approved", other.id)).rejects.toThrow("append only");
});
