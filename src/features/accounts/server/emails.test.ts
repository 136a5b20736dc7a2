import { type AddressObject, type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { PASSWORD, registerUser } from "#test/accounts.ts";
import { openTestSite, type TestSite } from "#test/site.ts";

const PUBLIC_URL = "https://give.chashma.example";
const FROM = "Chashma Foundation Australia <no-reply@chashma.example>";
const taken: ParsedMail[] = [];
let site: TestSite;
let server: SMTPServer;

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _, done) {
      simpleParser(stream).then((mail) => {
        taken.push(mail);
        done();
      }, done);
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, "127.0.0.1", () => resolve((listening.address() as { port: number }).port));
  });
  site = await openTestSite({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: FROM, PUBLIC_URL });
  await site.services.jobs.work("emails", sendEmails(site.services));
});
afterAll(async () => {
  await site.close();
  await new Promise((resolve) => server.close(() => resolve(undefined)));
});

/** Waits until `count` emails have arrived for an address. */
async function received(email: string, count: number): Promise<ParsedMail[]> {
  const to = (mail: ParsedMail) => (mail.to as AddressObject).value[0]!.address;
  const deadline = Date.now() + 10_000;
  for (;;) {
    const emails = taken.filter((mail) => to(mail) === email);
    if (emails.length >= count) return emails;
    if (Date.now() > deadline) throw new Error(`Only ${emails.length} emails of ${count} came.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function expectEmail(mail: ParsedMail, { subject, link }: { subject: string; link?: string | RegExp }) {
  const { name, email, phone } = site.services.organisation.current();
  expect(mail.subject).toBe(subject);
  expect(mail.from?.value).toEqual([{ address: "no-reply@chashma.example", name: "Chashma Foundation Australia" }]);
  expect(mail.replyTo?.value[0]?.address).toBe(email);
  expect(mail.messageId).toMatch(/^<[a-z-]+-[0-9a-f-]{36}@give\.chashma\.example>$/);
  expect(mail.headers.get("auto-submitted")).toBe("auto-generated");
  const markup = String(mail.html);
  expect(markup).toContain('<meta name="color-scheme" content="light dark">');
  expect(markup).toContain("prefers-color-scheme:dark");
  expect(markup).not.toMatch(/<script|<img|http:\/\//);
  for (const said of [name, phone]) {
    expect(mail.text).toContain(said);
    expect(markup).toContain(said);
  }
  if (link === undefined) return;
  const pressed = /<a class="press" href="([^"]+)"/.exec(markup)?.[1]?.replaceAll("&amp;", "&");
  expect(pressed).toMatch(link);
  expect(mail.text).toContain(pressed);
}

test("API-9: the welcome email has the confirmation link and repeats nothing that was typed", async () => {
  const typed = { firstName: "Win a phone", lastName: "https://pills.example" };
  const { user } = await registerUser(site, undefined, typed);
  const [email, ...more] = await received(user.email, 1);
  expectEmail(email!, {
    subject: `Welcome to ${site.services.organisation.current().name}`,
    link: /^https:\/\/give\.chashma\.example\/verify-email\?key=\d+\.[\w-]{43}$/,
  });
  for (const word of Object.values(typed)) expect(String(email!.html) + email!.text).not.toContain(word);
  expect(more).toEqual([]);
});

test("LOG-10, LOG-9, PRO-10: code, changed password, address check and closing each arrive once, in both forms", async () => {
  const { visitor, user } = await registerUser(site);
  await received(user.email, 1);
  await visitor.post("/api/password/email", { email: user.email });
  const [, code] = await received(user.email, 2);
  expectEmail(code!, { subject: "Your code to reset your password", link: `${PUBLIC_URL}/reset-password` });
  const digits = /^Code: (\d{8})$/m.exec(code!.text!)![1]!;
  expect(String(code!.html)).toContain(`<dd><bdi>${digits}</bdi></dd>`);
  expect(code!.subject).not.toContain(digits);

  const password = "another battery staple";
  const body = { email: user.email, code: digits, password, password_confirmation: password };
  expect(await visitor.post("/api/password/reset", body)).toMatchObject({ code: "200" });
  const [, , changed] = await received(user.email, 3);
  expectEmail(changed!, { subject: "Your password was changed", link: `${PUBLIC_URL}/login` });

  expect(await visitor.post("/api/login", { email: user.email, password })).toMatchObject({ code: 200 });
  await visitor.post("/api/email-verification/send", {});
  const [, , , check] = await received(user.email, 4);
  expectEmail(check!, { subject: "Confirm your email address", link: /\/verify-email\?key=\d+\.[\w-]{43}$/ });

  expect(await visitor.post("/api/close-account", { password })).toMatchObject({ code: "200" });
  const emails = await received(user.email, 5);
  expectEmail(emails[4]!, { subject: "Your account is closed" });
  expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(5);
  expect(emails.map(({ text }) => text).join("")).not.toContain(PASSWORD);
});
