import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { sendLetters } from "#app/letters.ts";
import { openTestSite, type TestSite } from "#test/site.ts";

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

async function send(letter: "contact-message" | "contact-answer", messageId: string) {
  await sendLetters(site.services)({ letter, messageId });
  return site.database.selectFrom("mailbox_messages").selectAll().orderBy("id").execute();
}

const headOf = (source: Buffer) => source.toString("utf8").split("\r\n\r\n")[0]!;

test("PAGE-7: the organisation gets everything that was written, and its reply goes to the sender", async () => {
  const id = await keep();
  const [letter] = await send("contact-message", id);
  expect(letter).toMatchObject({
    message_id: `<contact-${id}@give.chashma.example>`,
    recipient: ours().email,
    subject: "Message from Sana Malik: A school in Tharparkar",
  });
  expect(headOf(letter!.source)).toMatch(/^Reply-To: sana@example\.com$/m);
  for (const said of ["sana@example.com", "0400 000 000", "How many children come to it?", "Can we visit?"]) {
    expect(letter!.text_body).toContain(said);
    expect(letter!.html_body).toContain(said);
  }
});

test("PAGE-7: the answer thanks the sender and repeats nothing that was typed", async () => {
  const typed = { name: "Win a phone", subject: "Cheap pills", message: "https://pills.example", phone: "1900 123" };
  const [letter] = await send("contact-answer", await keep(typed));
  expect(letter).toMatchObject({ recipient: "sana@example.com", subject: `${ours().name} has your message` });
  expect(headOf(letter!.source)).toContain(`Reply-To: ${ours().email}`);
  expect(letter!.text_body).toContain(ours().phone);
  for (const word of Object.values(typed)) expect(letter!.source.toString()).not.toContain(word);
});

test("PAGE-7: nothing that was typed begins a header, becomes markup, or makes a long subject", async () => {
  const evil = 'x\r\nBcc: all@example.com\r\n\r\n"><script>alert(1)</script>';
  const [letter] = await send("contact-message", await keep({ name: evil, subject: evil.repeat(3), message: evil }));
  expect(headOf(letter!.source)).not.toMatch(/^bcc:/im);
  expect(letter!.html_body).not.toContain("<script>");
  expect(letter!.subject).not.toMatch(/[\r\n]/);
  expect([...letter!.subject].length).toBeLessThanOrEqual(78);
});

test("PAGE-7: a message without a subject is announced by its sender, in any script", async () => {
  const [letter] = await send("contact-message", await keep({ name: "آمنہ رضا", subject: "", phone: "" }));
  expect(letter!.subject).toBe("Message from آمنہ رضا");
  expect(letter!.text_body).not.toMatch(/^(Phone|Subject):/m);
});

test("REL-2: the same job twice is one letter, and a message that is gone is none", async () => {
  const id = await keep();
  await send("contact-message", id);
  expect(await send("contact-message", id)).toHaveLength(1);
  expect(await send("contact-answer", randomUUID())).toHaveLength(1);
});

test("REL-2: a letter that the mail server did not take stays a job", async () => {
  const mail = { send: vi.fn(() => Promise.reject(new Error("no answer"))) };
  const job = { letter: "contact-message", messageId: await keep() } as const;
  await expect(sendLetters({ ...site.services, mail })(job)).rejects.toThrow("no answer");
});
