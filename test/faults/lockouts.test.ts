import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import type { AccountEmailJob } from "#features/accounts/server/emails.ts";
import { testCards } from "#simulators/control.ts";
import { PASSWORD, registerUser } from "#test/accounts.ts";
import { longTest } from "#test/long-test.ts";
import { newKey, openTestSite, type TestSite, type Visitor, wirePayment } from "#test/site.ts";

// Strangers cannot lock somebody out by using their email, or by having cards declined.

let site: TestSite;
beforeEach(async () => {
  site = await openTestSite();
});
afterEach(() => site.close());

let places = 0;
/** A browser on a new network. */
const stranger = () => {
  places += 1;
  return site.visitor(`10.${places}.0.1`);
};

/** Sends as the page does: again, if the answer asks for a captcha. */
async function postSolving(visitor: Visitor, path: string, body: object, action: string) {
  const answer = await visitor.post(path, body, newKey());
  if (answer.error !== "captcha_dearer") return answer;
  expect(answer.effort).toBeGreaterThan(1);
  return visitor.post(path, { ...body, captcha: await visitor.solveCaptcha(action, answer.effort) }, newKey());
}

const victim = "victim@example.com";
const naming = { donor_email: victim, donorEmail: victim };

longTest(
  "SEC-4, DON-25: strangers who use a donor's email with failed captchas and declined cards do not lock the donor out",
  async () => {
    for (let nth = 0; nth < 8; nth += 1) {
      const body = wirePayment(await site.cardToken(), "not a captcha", naming);
      expect(await (await stranger()).post("/api/payway-payment", body, newKey())).toMatchObject({ code: "403" });
    }
    for (let nth = 0; nth < 6; nth += 1) {
      const { answer } = await site.give(await stranger(), { card: testCards.declined, changes: naming });
      expect(answer.code).toBe("402");
    }
    const donor = await stranger();
    const body = wirePayment(await site.cardToken(), await donor.solveCaptcha(), naming);
    const first = await donor.post("/api/payway-payment", body, newKey());
    expect(first).toMatchObject({ code: "403", error: "captcha_dearer", effort: 4 });
    const again = { ...body, captcha: await donor.solveCaptcha("donate", first.effort) };
    expect(await donor.post("/api/payway-payment", again, newKey())).toMatchObject({ code: "200" });
  },
);

longTest(
  "SEC-4, LOG-5: the owner of an account logs in on a new device while strangers guess, and ten guesses are free in all",
  async () => {
    const { user } = await registerUser(site);
    const guesses = await Promise.all(
      Array.from({ length: 40 }, async (_, nth) =>
        (await stranger()).post("/api/login", { email: user.email, password: `guess number ${nth}` }),
      ),
    );
    expect(guesses.filter(({ error }) => error === "login_failed")).toHaveLength(10);
    const owner = await stranger();
    const answer = await postSolving(owner, "/api/login", { email: user.email, password: PASSWORD }, "login");
    expect(answer).toMatchObject({ code: 200, data: { email: user.email } });
  },
);

/** Sends the email of the newest job, and reads its code. */
async function readCode(userId: number): Promise<string> {
  const { rows } = await site.pool.query<{ data: AccountEmailJob }>(
    "select data from pgboss.job where data->>'template' = 'reset-code' and (data->>'userId')::bigint = $1 order by created_on desc limit 1",
    [userId],
  );
  await sendEmails(site.services)(rows[0]!.data);
  const emails = await site.pool.query(
    "select text_body from mailbox_messages where message_id like '<reset-code-%' order by id desc limit 1",
  );
  return /^Code: (\d{8})$/m.exec(emails.rows[0].text_body)![1]!;
}

longTest(
  "SEC-4, LOG-10: strangers who request codes and try wrong ones stop neither the owner's email nor its code",
  async () => {
    const { user } = await registerUser(site);
    const ask = async () => postSolving(await stranger(), "/api/password/email", { email: user.email }, "reset");
    for (let nth = 0; nth < 3; nth += 1) expect(await ask()).toMatchObject({ code: "200" });
    expect(await ask()).toMatchObject({ code: "200" });
    const code = await readCode(user.id);
    expect(await ask()).toMatchObject({ code: "200" });
    await readCode(user.id);
    const reset = async (tried: string) => ({
      email: user.email,
      code: tried,
      password: "another battery staple",
      password_confirmation: "another battery staple",
    });
    const wrong = String((Number(code) + 1) % 100_000_000).padStart(8, "0");
    const tries = await Promise.all(
      Array.from({ length: 20 }, async () => (await stranger()).post("/api/password/reset", await reset(wrong))),
    );
    expect(tries.filter(({ error }) => error === "code_failed")).toHaveLength(5);
    expect(await postSolving(await stranger(), "/api/password/reset", await reset(code), "reset")).toMatchObject({
      code: "200",
    });
  },
);

test("SEC-4, DON-25: after twenty declines in a second others can still pay by card: a new donor with a harder captcha, and a known donor", async () => {
  const named = (nth: number) => ({ donor_email: `thief-${nth}@example.com`, donorEmail: `thief-${nth}@example.com` });
  const known = await stranger();
  expect((await site.give(known)).answer.code).toBe("200");
  const thieves = await Promise.all(Array.from({ length: 25 }, (_, nth) => site.visitor(`198.51.100.${nth}`)));
  const tried = await Promise.all(
    thieves.map((thief, nth) => site.give(thief, { card: testCards.declined, changes: named(nth) })),
  );
  expect(tried.filter(({ answer }) => answer.error === "payment_declined").length).toBeGreaterThanOrEqual(20);

  const newcomer = await stranger();
  const { payway, captcha } = (await newcomer.ask({ url: "/api/checkout" })).json().data;
  expect(payway).toMatchObject({ isAvailable: true, message: "" });
  expect(captcha.effort).toBe(16);
  expect((await site.give(newcomer)).answer).toMatchObject({ code: "200" });
  expect((await site.give(known, { changes: { repeat: true } })).answer).toMatchObject({ code: "200" });
  const cheap = wirePayment(await site.cardToken(), await known.solveCaptcha("contact"));
  expect(await (await stranger()).post("/api/payway-payment", cheap, newKey())).toMatchObject({ code: "403" });
  const thief = await site.visitor("198.51.100.77");
  expect((await thief.ask({ url: "/api/checkout" })).json().data.payway.isAvailable).toBe(false);
  expect((await site.give(thief)).answer).toMatchObject({ code: "429", error: "cards_paused" });
});

test("SEC-4, PAGE-7: strangers who send messages under somebody's email do not stop them from writing", async () => {
  const write = async (captchaOf: Visitor) => ({
    name: "Amina Raza",
    email: victim,
    phone: "",
    subject: "",
    message: "Assalam o alaikum.",
    website: "",
    key: randomUUID(),
    captcha: await captchaOf.solveCaptcha("contact"),
  });
  for (let nth = 0; nth < 3; nth += 1) {
    const visitor = await stranger();
    expect(await visitor.post("/api/contact", await write(visitor))).toMatchObject({ code: "200" });
  }
  const visitor = await stranger();
  expect(await postSolving(visitor, "/api/contact", await write(visitor), "contact")).toMatchObject({ code: "200" });
});
