import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { makeDonation } from "#database/factories.ts";
import { registerUser } from "#test/accounts.ts";
import { openTestSite, type TestSite, type Visitor } from "#test/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

const DAY = 86_400_000;

/** The key in the welcome email. */
async function readKey(userId: number, email: string): Promise<string> {
  await sendEmails(site.services)({ template: "welcome", userId, emailId: randomUUID() });
  const { rows } = await site.pool.query(
    "select text_body from mailbox_messages where recipient = $1 order by id desc limit 1",
    [email],
  );
  return /\/verify-email\?key=([\w.-]+)$/m.exec(rows[0].text_body)![1]!;
}
const verify = (visitor: Visitor, key: string) => visitor.post("/api/email-verification", { key });
const isVerified = async (id: number) =>
  (await site.pool.query("select email_verified_at from users where id = $1", [id])).rows[0].email_verified_at !== null;

test("API-9: the link in the email confirms the address and adds donations made as a guest to the account", async () => {
  const { visitor, user } = await registerUser(site);
  for (const email of [user.email, user.email.toUpperCase(), "other@example.com"]) {
    await makeDonation(site.database, { donation: { email } });
  }
  const key = await readKey(user.id, user.email);
  expect(await verify(visitor, key)).toMatchObject({ code: "200", data: { joinedGifts: 2 } });
  expect(await isVerified(user.id)).toBe(true);
  expect(await verify(visitor, key)).toMatchObject({ code: "200", data: { joinedGifts: 0 } });
  const { rows } = await site.pool.query("select count(*) from donations where user_id = $1", [user.id]);
  expect(Number(rows[0].count)).toBe(2);
});

test("API-9: the key is refused without a session, in another user's session, altered, or after a week", async () => {
  const [own, other] = [await registerUser(site), await registerUser(site)];
  const key = await readKey(own.user.id, own.user.email);
  expect(await verify(await site.visitor(), key)).toMatchObject({ code: "401", error: "not_signed_in" });
  const [until, signature] = key.split(".");
  const later = `${Number(until) + 1}.${signature}`;
  for (const [visitor, tried] of [
    [other.visitor, key],
    [own.visitor, later],
    [own.visitor, ""],
    [own.visitor, `${key}.x`.slice(1)],
    [own.visitor, until!],
  ] as const) {
    expect(await verify(visitor, tried)).toMatchObject({ code: "403", error: "link_failed" });
  }
  site.clock.advance(7 * DAY + 1000);
  expect(await verify(own.visitor, key)).toMatchObject({ code: "403", error: "link_failed" });
  expect([await isVerified(own.user.id), await isVerified(other.user.id)]).toEqual([false, false]);
});

test("API-9: opening the link is not enough: a mail scanner that opens it changes nothing", async () => {
  const { user } = await registerUser(site);
  const key = await readKey(user.id, user.email);
  await site.app.inject({ url: `/verify-email?key=${key}` });
  expect((await site.app.inject({ url: `/api/email-verification?key=${key}` })).statusCode).toBe(405);
  expect(await isVerified(user.id)).toBe(false);
});

test("API-11: the email can be sent again, three times an hour", async () => {
  const { visitor, user } = await registerUser(site);
  const codes = [];
  for (let nth = 0; nth < 4; nth += 1) codes.push((await visitor.post("/api/email-verification/send", {})).code);
  expect(codes).toEqual(["200", "200", "200", "429"]);
  const { rows } = await site.pool.query(
    "select 1 from pgboss.job where data->>'template' = 'confirm-address' and (data->>'userId')::bigint = $1",
    [user.id],
  );
  expect(rows).toHaveLength(3);
});
