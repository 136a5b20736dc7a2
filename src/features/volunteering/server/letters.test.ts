import { simpleParser } from "mailparser";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sendLetters } from "#app/letters.ts";
import { makeApplication } from "#database/volunteer-makers.ts";
import { documentLink } from "#shared/links/document-links.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { recordCheck } from "./checks.ts";
import type { VolunteerLetterJob } from "./letters.ts";
import { moveApplication } from "./pipeline.ts";

const host = "give.chashma.example";
let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ PUBLIC_URL: `https://${host}` });
});
beforeEach(() => site.pool.query("delete from mailbox_messages"));
afterAll(() => site.close());

const ours = () => site.services.organisation.current();
const coordinator = () => ours().volunteersEmail ?? ours().email;
const make = (changes?: Parameters<typeof makeApplication>[1]) => makeApplication(site.database, changes);
async function pageOf(id: string, since: "created_at" | "decided_at" = "created_at"): Promise<string> {
  const { rows } = await site.pool.query("select * from volunteer_applications where id = $1", [id]);
  return `https://${host}${documentLink(site.config, { kind: "application", id }, rows[0][since]).path}`;
}
const headOf = (source: Buffer) => source.toString("utf8").split("\r\n\r\n")[0]!;

/** Every letter there is after this job. */
async function send(job: VolunteerLetterJob) {
  await sendLetters(site.services)(job);
  return site.database.selectFrom("mailbox_messages").selectAll().orderBy("id").execute();
}

const typed = { name: "Win a phone", skills: "https://pills.example", mobile: "1900 123 456", street: "Cheap Street" };

test("VOL-11: the applicant's confirmation has the reference and the link of the page, and repeats nothing that was typed", async () => {
  const id = await make({ ...typed, reference: "V-AAAA-BBBB-CCCC" });
  const [letter, ...more] = await send({ letter: "application-received", applicationId: id });
  expect(more).toEqual([]);
  expect(letter).toMatchObject({ recipient: "amina@example.com", subject: `${ours().name} has your application` });
  expect(letter!.message_id).toMatch(new RegExp(`^<application-${id}-[\\w-]{12}@${host}>$`));
  expect(headOf(letter!.source)).toContain(`Reply-To: ${coordinator()}`);
  for (const said of ["V-AAAA-BBBB-CCCC", "You did not apply?", ours().phone]) {
    expect(letter!.text_body).toContain(said);
    expect(letter!.html_body).toContain(said);
  }
  expect(letter!.text_body).toContain(await pageOf(id));
  for (const word of [...Object.values(typed), "Bilal"]) expect(letter!.source.toString()).not.toContain(word);
});

test("VOL-11: the same confirmation twice is one letter, and one to a corrected address is another", async () => {
  const id = await make();
  await send({ letter: "application-received", applicationId: id });
  expect(await send({ letter: "application-received", applicationId: id })).toHaveLength(1);
  await site.pool.query("update volunteer_applications set email = 'right@example.com' where id = $1", [id]);
  const letters = await send({ letter: "application-received", applicationId: id });
  expect(letters.map(({ recipient }) => recipient)).toEqual(["amina@example.com", "right@example.com"]);
});

const longText = `${"میں پاکستان میں مدد کرنا چاہتی ہوں، 🌱 دل سے۔\n".repeat(80)}`.slice(0, 3000).trim();

test("VOL-3, VOL-4: the coordinator can ring the person up: names in Urdu and texts of 3,000 characters come whole", async () => {
  const id = await make({
    name: "آمنہ رضا",
    skills: longText,
    experience: "Two years\n\nat a kitchen <b>",
    street: "Lake 5",
  });
  const [letter] = await send({ letter: "new-application", applicationId: id });
  expect(letter).toMatchObject({
    message_id: `<new-application-${id}@${host}>`,
    recipient: coordinator(),
    subject: "Application to volunteer from آمنہ رضا",
  });
  const mail = await simpleParser(letter!.source, { skipTextToHtml: true });
  expect(mail.replyTo?.text).toBe("amina@example.com");
  expect(mail.subject).toBe(letter!.subject);
  const { reference } = await site.database
    .selectFrom("volunteer_applications")
    .select("reference")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  for (const said of [reference, "آمنہ رضا", "0412 345 678", "Events, Fundraising", "Weekend", longText]) {
    expect(mail.text).toContain(said);
    expect(mail.html).toContain(said);
  }
  expect(mail.text).toContain("Two years\n\nat a kitchen <b>");
  expect(mail.html).not.toContain("<b>");
  for (const hidden of ["Bilal", "0498", "Lake 5"]) expect(mail.text).not.toContain(hidden);
  expect(mail.attachments).toEqual([]);
});

test("VOL-11: nothing that was typed begins a header or makes a long subject", async () => {
  const id = await make({ name: 'x\r\nBcc: all@example.com\r\n\r\n"><script>'.repeat(3) });
  const [letter] = await send({ letter: "new-application", applicationId: id });
  expect(headOf(letter!.source)).not.toMatch(/^bcc:/im);
  expect(letter!.html_body).not.toContain("<script>");
  expect([...letter!.subject].length).toBeLessThanOrEqual(78);
});

test.each([
  ["approved", ["Fundraising"], "You are taken on for: Fundraising."],
  ["waiting", undefined, "You are on our waiting list"],
  ["declined", undefined, "cannot take you on this time"],
] as const)(
  "VOL-11: a decision, %s, is told once to the applicant, without the reason that staff wrote",
  async (to, roles, says) => {
    const id = await make({ ...typed, stage: "in_review", stage_version: 2 });
    const move = { id, version: 2, to, actor: "Sana", reason: "too many already", ...(roles && { roles }) };
    expect(await moveApplication(site.services, move)).toMatchObject({ ok: true });
    const job = { letter: "application-decided", applicationId: id, stageVersion: 3 } as const;
    await send(job);
    const [letter, ...more] = await send(job);
    expect(more).toEqual([]);
    expect(letter).toMatchObject({
      message_id: `<application-decided-${id}-3@${host}>`,
      recipient: "amina@example.com",
    });
    expect(letter!.text_body).toContain(says);
    expect(letter!.text_body).toContain(await pageOf(id, "decided_at"));
    for (const hidden of [...Object.values(typed), "too many already", "Sana"]) {
      expect(letter!.source.toString()).not.toContain(hidden);
    }
  },
);

test("VOL-11: a decision that is no longer true is told to nobody", async () => {
  const id = await make({ stage: "in_review", stage_version: 4 });
  expect(await send({ letter: "application-decided", applicationId: id, stageVersion: 3 })).toEqual([]);
  expect(await send({ letter: "application-decided", applicationId: id, stageVersion: 4 })).toEqual([]);
  expect(await send({ letter: "volunteer-left", applicationId: id })).toEqual([]);
});

test("VOL-11: the coordinator is told who left, and what they had been taken on for", async () => {
  const id = await make({ stage: "in_review", stage_version: 2 });
  const actor = "Sana";
  await moveApplication(site.services, { id, version: 2, to: "approved", roles: ["Fundraising"], actor });
  await moveApplication(site.services, { id, to: "withdrawn", actor: "applicant" });
  const [letter] = await send({ letter: "volunteer-left", applicationId: id });
  expect(letter).toMatchObject({ recipient: coordinator(), subject: "Amina Raza has withdrawn" });
  expect(letter!.text_body).toContain("Was taken on for: Fundraising");
  expect(letter!.text_body).toContain("0412 345 678");
});

test("VOL-3: a check that ends is said to the volunteer and to the coordinator, once before and once when it has ended", async () => {
  const id = await make({ stage: "approved", roles: ["Field Work"] });
  const check = { state: "NSW", number: "WWC1234567V", kind: "volunteer", expiresOn: "2028-03-01" } as const;
  const recorded = await recordCheck(site.services, { applicationId: id, check, actor: "Sana" });
  const checkId = recorded.ok ? recorded.id : "";
  const both = async () => {
    await send({ letter: "check-ends", checkId });
    return send({ letter: "volunteer-check-ends", checkId });
  };
  const before = await both();
  expect(before.map(({ recipient, subject }) => [recipient, subject])).toEqual([
    ["amina@example.com", "Your Working With Children Check ends soon"],
    [coordinator(), "Working With Children Check of Amina Raza ends soon"],
  ]);
  for (const { text_body } of before) expect(text_body).toContain("ends on 1 March 2028");
  expect(before[0]!.text_body).not.toContain("Amina");
  expect(before[1]!.text_body).toContain("NSW WWC1234567V");
  expect(await both()).toHaveLength(2);
  await site.pool.query("update working_with_children_checks set lapse_told_at = now() where id = $1", [checkId]);
  const after = await both();
  expect(after).toHaveLength(4);
  for (const { text_body } of after.slice(2)) expect(text_body).toContain("ended on 1 March 2028");
  await recordCheck(site.services, { applicationId: id, check: { ...check, number: "WWC7" }, actor: "Sana" });
  await site.pool.query("delete from mailbox_messages");
  expect(await both()).toEqual([]);
});
