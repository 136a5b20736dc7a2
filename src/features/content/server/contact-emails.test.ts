import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { newKey, openTestSite, type TestSite } from "#test/site.ts";
import { ContactFields } from "../contact.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ PUBLIC_URL: "https://give.chashma.example" });
});
beforeEach(() => site.pool.query("truncate mailbox_messages, contact_messages"));
afterAll(() => site.close());

const ours = () => site.services.organisation.current();

async function keep(changes: Record<string, string> = {}): Promise<string> {
  const id = randomUUID();
  const message = {
    name: "Sana Malik",
    email: "sana@example.com",
    phone: "0400 000 000",
    subject: "A school in Tharparkar",
    message: "How many children come to it?\n\nCan we visit?",
    ...changes,
  };
  const row = { id, client_key: randomUUID(), created_at: new Date(), ...message };
  await site.database.insertInto("contact_messages").values(row).execute();
  return id;
}

async function send(template: "contact-message" | "contact-answer", messageId: string) {
  await sendEmails(site.services)({ template, messageId });
  return site.database.selectFrom("mailbox_messages").selectAll().orderBy("id").execute();
}

const headOf = (source: Buffer) => source.toString("utf8").split("\r\n\r\n")[0]!;

test("PAGE-7: the organisation gets the whole message, and its reply goes to the sender", async () => {
  const id = await keep();
  const [email] = await send("contact-message", id);
  expect(email).toMatchObject({
    message_id: `<contact-${id}@give.chashma.example>`,
    recipient: ours().email,
    subject: "Message from Sana Malik: A school in Tharparkar",
  });
  expect(headOf(email!.source)).toMatch(/^Reply-To: sana@example\.com$/m);
  for (const said of ["sana@example.com", "0400 000 000", "How many children come to it?", "Can we visit?"]) {
    expect(email!.text_body).toContain(said);
    expect(email!.html_body).toContain(said);
  }
});

test("PAGE-7: whatever the form asks is stored and in the email to staff", async () => {
  // Nobody asks for a nickname, so it is lost: what a field is that nothing carries on.
  const fields = [...Object.keys(ContactFields.shape), "nickname"];
  const typed = (field: string) => (field === "email" ? "typed-email@example.com" : `typed ${field}`);
  const visitor = await site.visitor();
  const { "idempotency-key": key } = newKey();
  const captcha = await visitor.solveCaptcha("contact");
  const body = { ...Object.fromEntries(fields.map((field) => [field, typed(field)])), captcha, key };
  expect(await visitor.post("/api/contact", body)).toMatchObject({ code: "200" });
  const row = await site.database.selectFrom("contact_messages").selectAll().executeTakeFirstOrThrow();
  const [email] = await send("contact-message", row.id);
  const lostIn = (text: string) => fields.filter((field) => !text.includes(typed(field)));
  expect(lostIn(JSON.stringify(row)), "see insertMessage in contact.ts").toEqual(["nickname"]);
  expect(lostIn(email!.text_body), "see messageEmail in contact-emails.ts").toEqual(["nickname"]);
});

test("PAGE-7: the answer thanks the sender and repeats nothing that was typed", async () => {
  const typed = { name: "Win a phone", subject: "Cheap pills", message: "https://pills.example", phone: "1900 123" };
  const [email] = await send("contact-answer", await keep(typed));
  expect(email).toMatchObject({ recipient: "sana@example.com", subject: `${ours().name} has your message` });
  expect(headOf(email!.source)).toContain(`Reply-To: ${ours().email}`);
  expect(email!.text_body).toContain(ours().phone);
  for (const word of Object.values(typed)) expect(email!.source.toString()).not.toContain(word);
});

test("PAGE-7: nothing that was typed becomes a header, markup or a long subject", async () => {
  const evil = 'x\r\nBcc: all@example.com\r\n\r\n"><script>alert(1)</script>';
  const [email] = await send("contact-message", await keep({ name: evil, subject: evil.repeat(3), message: evil }));
  expect(headOf(email!.source)).not.toMatch(/^bcc:/im);
  expect(email!.html_body).not.toContain("<script>");
  expect(email!.subject).not.toMatch(/[\r\n]/);
  expect([...email!.subject].length).toBeLessThanOrEqual(78);
});

test("PAGE-7: the email of a message without a subject names its sender, in any script", async () => {
  const [email] = await send("contact-message", await keep({ name: "آمنہ رضا", subject: "", phone: "" }));
  expect(email!.subject).toBe("Message from \u2068آمنہ رضا\u2069");
  expect(email!.text_body).not.toMatch(/^(Phone|Subject):/m);
});

test("LANG-4: typed text keeps its own direction in an email", async () => {
  const [email] = await send("contact-message", await keep({ name: "آمنہ رضا", message: "السلام علیکم" }));
  expect(email!.html_body).toContain("<bdi>آمنہ رضا</bdi>");
  expect(email!.html_body).toContain('<p dir="auto">السلام علیکم</p>');
});

test("REL-2: the same job twice is one email, and a deleted message is none", async () => {
  const id = await keep();
  await send("contact-message", id);
  expect(await send("contact-message", id)).toHaveLength(1);
  expect(await send("contact-answer", randomUUID())).toHaveLength(1);
});

test("REL-2: an email that the mail server did not take stays a job", async () => {
  const mail = { send: vi.fn(() => Promise.reject(new Error("no answer"))) };
  const job = { template: "contact-message", messageId: await keep() } as const;
  await expect(sendEmails({ ...site.services, mail })(job)).rejects.toThrow("no answer");
});
