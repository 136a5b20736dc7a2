import { randomUUID } from "node:crypto";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { addressKey, resetCode } from "#features/accounts/server/codes.ts";
import { createNonce } from "#simulators/control.ts";
import { registerUser } from "../accounts.ts";
import {
  APPLY,
  applicationFields,
  filePart,
  formType,
  onePixel,
  PHOTO,
  SIGNATURE,
  textParts,
  writeForm,
} from "../application-form.ts";
import { createVisitor, type Visitor, wirePayment, wirePayPalPayment } from "../site.ts";
import { openWholeSite, type WholeSite } from "./whole-site.ts";

let site: WholeSite;
let server: SMTPServer;
/** A mail server that repeats the unknown address in its refusal, as real ones do. */
let refuses = false;
beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _, done) {
      done(refuses ? Object.assign(new Error(`No such user here: <${address}>`), { responseCode: 550 }) : null);
    },
    onData(stream, _, done) {
      stream.resume().on("end", () => done());
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, "127.0.0.1", () => resolve((listening.address() as { port: number }).port));
  });
  site = await openWholeSite({ SMTP_URL: `smtp://127.0.0.1:${port}` });
});
afterAll(async () => {
  await site.close();
  await new Promise((resolve) => server.close(() => resolve(undefined)));
});

const person = { firstName: "Zulaikha", lastName: "Quraishi", postcode: "7Q-Z", mobile: "61499123987", city: "Zhob" };
const passwords = [
  "a first secret of mine",
  "never my password",
  "a second secret of mine",
  "a third secret of mine",
] as const;
const [first, wrong, second, third] = passwords;

function expectNone(secrets: readonly (string | undefined)[], from = 0) {
  const log = site.lines.slice(from).join("");
  expect(site.lines.length).toBeGreaterThan(from);
  for (const secret of secrets) {
    expect(secret?.length, "a secret was not made").toBeGreaterThan(3);
    expect(log.toLowerCase().includes(secret!.toLowerCase()), `the log holds ${secret}`).toBe(false);
  }
}

/** Sends the waiting emails, and returns their jobs. */
async function sendWaiting(): Promise<{ template: string; userId: number; emailId: string }[]> {
  const { rows } = await site.pool.query("delete from pgboss.job where name = 'emails' returning data");
  for (const { data } of rows) await sendEmails(site.services)(data);
  return rows.map(({ data }) => data);
}

const applied = {
  name: "Gulbadan Quraishi",
  st_add: "71 Indus Parade",
  em_name: "Humayun Quraishi",
  skill: "boat building",
};

async function apply(visitor: Visitor, changes: Record<string, string>) {
  const captcha = await visitor.solveCaptcha("volunteer");
  const fields = { ...applicationFields, ...applied, ...changes, captcha };
  const files = [PHOTO, SIGNATURE].map((name) => filePart(name, onePixel, "gulbadan.png"));
  const headers = { "content-type": formType };
  const payload = writeForm([...textParts(fields), ...files]);
  expect((await visitor.ask({ method: "POST", url: APPLY, headers, payload })).statusCode).toBe(200);
}

test("REL-4, S9: the log of an account from start to end, at the most detailed level, has no password, token, code, address or name", async () => {
  const email = `zulaikha-${randomUUID()}@example.com`;
  const visitor = await site.visitor("198.51.100.77");
  const secrets: (string | undefined)[] = [...passwords, email, ...Object.values(person), "198.51.100.77"];
  const keep = (who: Visitor) => secrets.push(...[...who.cookies.values()].filter((value) => value.length > 10));
  const must = async (path: string, body: object, code = "200") => {
    const answer = await visitor.post(path, body);
    expect(String(answer.code), `${path} ${JSON.stringify(answer)}`).toBe(code);
    keep(visitor);
    return answer;
  };

  const { user } = await registerUser(site, visitor, { ...person, email, password: first });
  keep(visitor);
  await must("/api/email-verification", { key: "1.forged-key-of-somebody" }, "403");
  const key = addressKey(site.config.secretKey, user, site.clock.now());
  await must("/api/email-verification", { key });
  const token = await site.cardToken();
  const names = { donor_first_name: person.firstName, donor_last_name: person.lastName, postal_code: person.postcode };
  const donor = {
    ...names,
    donorName: `${person.firstName} ${person.lastName}`,
    donor_email: email,
    donorEmail: email,
  };
  const captcha = await visitor.solveCaptcha();
  const donation = await must("/api/payway-payment", wirePayment(token, captcha, { ...donor, user_id: user.id }));
  await visitor.ask({ url: donation.data.receiptUrl });
  const nonce = await createNonce(site.simulator.url);
  const paypal = wirePayPalPayment(nonce, await visitor.solveCaptcha(), { ...donor, user_id: user.id });
  await must("/api/payment", paypal);
  secrets.push(nonce, site.config.braintree.privateKey, paypal.captcha);
  await apply(visitor, { email });
  await must("/api/logout", {});
  await must("/api/login", { email, password: wrong }, "401");
  await must("/api/login", { email, password: first });
  await must("/api/password/email", { email });
  const job = (await sendWaiting()).find(({ template }) => template === "reset-code")!;
  const code = resetCode(site.config.secretKey, user.id, job.emailId);
  const reset = { email, password: second, password_confirmation: second };
  await must("/api/password/reset", { ...reset, code: "13572468" }, "422");
  await must("/api/password/reset", { ...reset, code });
  await must("/api/login", { email, password: second });
  const change = { user_id: user.id, old_password: second, new_password: third, confirm_password: third };
  await must("/api/changePassword", change);
  const summary = await must(`/api/donation-summary-pdf?email=${email}&startDate=2026-01-01&endDate=2099-12-31`, {});
  const linked = new URL(summary.url);
  expect((await visitor.ask({ url: linked.pathname + linked.search })).statusCode).toBe(200);
  for (const url of ["/profile", "/edit-profile", "/donation-history", "/api/my-data", `/verify-email?key=${key}`]) {
    expect((await visitor.ask({ url })).statusCode, url).toBe(200);
  }
  await must("/api/close-account", { password: third });
  await sendWaiting();
  secrets.push(key, code, "13572468", token, captcha, linked.searchParams.get("key") ?? undefined);
  secrets.push(
    new URL(donation.data.receiptUrl, "https://a.example").searchParams.get("key") ?? undefined,
    donation.data.id,
  );
  secrets.push("argon2", site.config.secretKey, site.config.payway.secretKey);
  secrets.push(...Object.values(applied), "gulbadan");
  expectNone(secrets);
  expect(site.lines.filter((line) => line.includes('"answered"')).length).toBeGreaterThan(15);
});

test("REL-4, S9: an address that a mail server refuses and repeats gets into neither the log nor the list of failed jobs", async () => {
  const email = `zulaikha-${randomUUID()}@example.com`;
  const from = site.lines.length;
  refuses = true;
  try {
    const { visitor } = await registerUser(site, await site.visitor(), { ...person, email, password: first });
    await site.services.jobs.work("emails", sendEmails(site.services));
    const deadline = Date.now() + 10_000;
    while (!site.lines.slice(from).some((line) => line.includes("a job failed"))) {
      if (Date.now() > deadline) throw new Error("No job failed.");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await visitor.post("/api/close-account", { password: first })).code).toBe("200");
  } finally {
    refuses = false;
  }
  expectNone([email, ...Object.values(person)], from);
  const { rows } = await site.pool.query("select string_agg(output::text, ' ') as said from pgboss.job");
  expect(rows[0].said ?? "").not.toContain(email);
});

test("REL-4, S9: a row that the database refuses is repeated in neither the log nor the answer", async () => {
  const email = `zulaikha-${randomUUID()}@example.com`;
  const from = site.lines.length;
  await site.pool.query("alter table users add constraint planted check (city <> 'Zhob') not valid");
  try {
    const refusal = registerUser(site, await createVisitor(site.app), { ...person, email, password: first });
    await expect(refusal).rejects.toThrow("unexpected");
    await refusal.catch((error: Error) => expect(error.message).not.toMatch(/zulaikha|constraint/i));
  } finally {
    await site.pool.query("alter table users drop constraint planted");
  }
  expect(site.lines.slice(from).some((line) => line.includes("planted"))).toBe(true);
  expectNone([email, ...Object.values(person), first], from);
});
