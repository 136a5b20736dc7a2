import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { type SettingsEmailJob, writeSettingsEmail } from "../../server/emails.ts";

let site: AdminSite;
let admin: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  admin = await site.logIn("administrator");
});
afterAll(() => site.close());

const path = "/admin/settings/organisation";

/** The fields of the form that a screen shows, as a browser would send them untouched. */
function fieldsOf(html: string): Record<string, string> {
  const form = /<form [^>]*action="\/admin\/settings[\s\S]*?<\/form>/.exec(html)![0];
  const inputs = [...form.matchAll(/<input [^>]*name="([^"]+)"[^>]*>/g)].filter(
    ([tag]) => !tag.includes('type="checkbox"') && (!tag.includes('type="radio"') || tag.includes("checked")),
  );
  const areas = [...form.matchAll(/<textarea [^>]*name="([^"]+)"[^>]*>([\s\S]*?)<\/textarea>/g)];
  const pairs = [
    ...inputs.map(([tag, name]) => [name!, / value="([^"]*)"/.exec(tag)?.[1] ?? ""]),
    ...areas.map(([, name, text]) => [name!, text!]),
  ] as const;
  return Object.fromEntries(pairs.map(([name, text]) => [name, unescapeHtml(text!)]));
}

const unescapeHtml = (text: string) => text.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");

const open = async (group: string) => fieldsOf((await admin.get(`${path}/${group}`)).html);

test("SET-1, SET-2: a change is on the site, in the audit trail, and marked with what the settings file has", async () => {
  const fields = await open("contact");
  const saved = await admin.post(`${path}/contact`, { ...fields, phone: "1300 111 222" });
  expect([saved.status, saved.to]).toEqual([303, path]);
  await site.services.siteSettings.refresh();
  expect(site.services.organisation.current().phone).toBe("1300 111 222");
  const { html } = await admin.get(path);
  expect(html).toContain("1300 111 222");
  expect(html).toContain("Changed here");
  expect(html).toContain("changed the organisation’s details,");
  expect((await admin.get(`${path}/contact`)).html).toContain("‘1300 000 000’");
  const back = await admin.post(`${path}/contact`, { ...(await open("contact")), delivered: "phone" });
  expect(back.status).toBe(303);
  const { rows } = await site.pool.query("select value from site_settings where key = 'organisation'");
  expect(rows).toEqual([{ value: {} }]);
});

test("SET-3: the second of two editors sees both, keeps what they typed, and then saves; other groups do not collide", async () => {
  const [mine, theirs, other] = [await open("contact"), await open("contact"), await open("links")];
  await admin.post(`${path}/contact`, { ...theirs, phone: "1300 222 333", address: "1 New Street" });
  expect((await admin.post(`${path}/links`, { ...other, "socials.youtube": "" })).status).toBe(303);
  const refused = await admin.post(`${path}/contact`, { ...mine, phone: "1300 444 555" });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("changed these details while you were writing");
  expect(refused.html).toContain("1300 222 333");
  const both = fieldsOf(refused.html);
  expect(both).toMatchObject({ phone: "1300 444 555", address: "1 New Street" });
  expect((await admin.post(`${path}/contact`, both)).status).toBe(303);
  await site.services.siteSettings.refresh();
  expect(site.services.organisation.current()).toMatchObject({ phone: "1300 444 555", address: "1 New Street" });
  expect(site.services.organisation.current().socials.youtube).toBeUndefined();
});

test("SET-3: of ten forms sent at once over one version one counts, and the others are shown it", async () => {
  const fields = await open("links");
  const sent = Array.from({ length: 10 }, (_, number) =>
    admin.post(`${path}/links`, { ...fields, "socials.facebook": `https://facebook.example/${number}` }),
  );
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([303, ...Array(9).fill(409)]);
});

test("SET-3: what SQL changes while somebody writes is not lost either", async () => {
  const mine = await open("contact");
  await site.pool.query(
    "update site_settings set value = value || '{\"phone\": \"1300 999 999\"}' where key = 'organisation'",
  );
  const refused = await admin.post(`${path}/contact`, { ...mine, phone: "1300 000 001" });
  expect([refused.status, refused.html.includes("Somebody outside")]).toEqual([409, true]);
  expect(refused.html).toContain("1300 999 999");
});

test("SET-4: bank accounts, ABN and legal name ask for a new proof, and all administrators are told by email", async () => {
  await site.logIn("treasurer");
  const fields = await open("banks");
  const saved = await admin.post(`${path}/banks`, { ...fields, "banks.0.accountNumber": "1234 5678" });
  expect(saved.status).toBe(303);
  const told = async () => {
    const select = "select data from pgboss.job where data->>'template' = 'organisation-changed'";
    return (await site.pool.query<{ data: SettingsEmailJob }>(select)).rows;
  };
  expect(await told()).toHaveLength(1);
  const sender = { organisation: site.services.organisation.current(), publicUrl: "http://site.example" };
  const context = { database: site.services.database, sender, config: {} };
  const email = await writeSettingsEmail(context, (await told())[0]!.data);
  expect(email?.subject).toContain(admin.name);
  expect(email?.text).toMatch(/Before: .*account 0000 0000\n[\s\S]*Now: .*account 1234 5678/);
  site.clock.advance(11 * 60_000);
  const asked = await admin.post(`${path}/banks`, { ...(await open("banks")), "banks.0.accountNumber": "9999 9999" });
  expect(asked.status).toBe(401);
  expect(await told()).toHaveLength(1);
  const unprotected = await admin.post(`${path}/contact`, { ...(await open("contact")), phone: "1300 777 777" });
  expect(unprotected.status).toBe(303);
});

test("SET-1, DON-21: what receipts need is not taken out, neither the ABN nor, while endorsed, the sentence for gifts", async () => {
  const fields = await open("identity");
  // The others' clock has moved on since they logged in.
  const fresh = await site.logIn("administrator");
  const endorsed = "receipt.isDeductibleGiftRecipient";
  const save = (changes: Record<string, string>) => fresh.post(`${path}/identity`, { ...fields, ...changes });
  const faultsOf = async (label: string, changes: Record<string, string>) => {
    const { status, html } = await save({ [endorsed]: "yes", ...changes });
    return [
      status,
      [...html.matchAll(/id="organisation-([^"]+)-error"/g)].map(([, name]) => name),
      html.includes(`Without ‘${label}’ no receipt can be issued, and donors wait for theirs.`),
    ];
  };
  expect(await faultsOf("Sentence for gifts", { "receipt.giftStatement": " " })).toEqual([
    422,
    ["receipt.giftStatement"],
    true,
  ]);
  expect(await faultsOf("ABN", { abn: "" })).toEqual([422, ["abn"], true]);
  expect((await save({ [endorsed]: "no", "receipt.giftStatement": "" })).status).toBe(303);
  // A detail that is missing already holds up no other change.
  await site.pool.query(`update site_settings set value = value || '{"abn": ""}' where key = 'organisation'`);
  const without = { ...(await open("identity")), [endorsed]: "no" };
  expect((await fresh.post(`${path}/identity`, { ...without, "registration.label": "Our entry" })).status).toBe(303);
  await site.pool.query("update site_settings set value = '{}' where key = 'organisation'");
});

test("SET-5: a specimen receipt is drawn from what is typed, and nothing is saved; faults stand at their fields", async () => {
  const fields = await open("identity");
  const typed = { ...fields, name: "Another Name Ltd", show: "receipt" };
  const shown = await admin.post(`${path}/identity/preview`, typed);
  expect([shown.status, shown.headers["content-type"]]).toEqual([200, "application/pdf"]);
  const wrong = await admin.post(`${path}/identity/preview`, { ...typed, abn: "1" });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain("This is not a valid ABN");
  expect(wrong.html).toContain("Another Name Ltd");
  const without = await admin.post(`${path}/identity/preview`, { ...typed, abn: "" });
  expect(without.html).toContain("No receipt can be made without its ABN.");
  expect(site.services.organisation.current().name).not.toBe("Another Name Ltd");
});

test("SET-2: settings that SQL has made invalid are said to be so, and the next change replaces them", async () => {
  await site.pool.query(`update site_settings set value = '{"email": "nobody"}' where key = 'organisation'`);
  expect((await admin.get(path)).html).toContain("email: Write an email address");
  expect((await admin.post(`${path}/links`, await open("links"))).status).toBe(303);
  expect((await admin.get(path)).html).not.toContain("so the site ignores that change");
});

test("SET-11: an earlier version of the details is put into the form, and saved only then; other groups stay", async () => {
  await admin.post(`${path}/contact`, { ...(await open("contact")), phone: "1300 500 001" });
  const { number } = (await site.pool.query("select max(number) as number from setting_versions")).rows[0];
  await admin.post(`${path}/contact`, { ...(await open("contact")), phone: "1300 500 002" });
  await admin.post(`${path}/links`, { ...(await open("links")), "socials.youtube": "https://www.youtube.com/later" });
  const chosen = `${path}/contact?version=${number}`;
  expect((await admin.get(`${path}/contact`)).html).toContain(`href="${chosen}"`);
  const { html } = await admin.get(chosen);
  expect(html).toContain(`The form has version ${number}. Nothing is changed until you save.`);
  await site.services.siteSettings.refresh();
  expect(site.services.organisation.current().phone).toBe("1300 500 002");
  const fields = fieldsOf(html);
  expect(fields.phone).toBe("1300 500 001");
  expect((await admin.post(`${path}/contact`, fields)).status).toBe(303);
  await site.services.siteSettings.refresh();
  const { phone, socials } = site.services.organisation.current();
  expect([phone, socials.youtube]).toEqual(["1300 500 001", "https://www.youtube.com/later"]);

  // Of two people, the second sees what the first has saved; and nobody gets a version that never was.
  const stale = fieldsOf((await admin.get(chosen)).html);
  await admin.post(`${path}/contact`, { ...(await open("contact")), phone: "1300 500 003" });
  expect((await admin.post(`${path}/contact`, stale)).status).toBe(409);
  for (const unknown of ["999999", "0", "-1", "x"]) {
    const { html } = await admin.get(`${path}/contact?version=${unknown}`);
    expect(fieldsOf(html).phone).toBe("1300 500 003");
    expect(html).not.toContain("Nothing is changed until you save");
  }
});

test("SET-11: earlier bank accounts are put into the form too, and of more accounts than there were the rest are empty", async () => {
  const { rows } = await site.pool.query(`
    insert into setting_versions (key, number, value, saved_at)
    select 'organisation', max(number) + 1, '{"banks": [{"accountName": "Earlier fund", "bank": "NAB",
      "bsb": "082-057", "accountNumber": "123456789"}]}', now() from setting_versions where key = 'organisation'
    returning number`);
  const { number } = rows[0];
  const fields = fieldsOf((await admin.get(`${path}/banks?version=${number}`)).html);
  expect(fields["banks.0.accountName"]).toBe("Earlier fund");
  expect(fields["banks.1.accountName"]).toBe("");
});
