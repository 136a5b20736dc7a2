import { simpleParser } from "mailparser";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { documentLink } from "#shared/links/document-links.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { recordCheck } from "./checks.ts";
import type { VolunteerEmailJob } from "./emails.ts";
import { moveApplication } from "./pipeline.ts";
import { changeRoles } from "./roles.ts";

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

/** Every email after this job. */
async function send(job: VolunteerEmailJob) {
  await sendEmails(site.services)(job);
  return site.database.selectFrom("mailbox_messages").selectAll().orderBy("id").execute();
}

const typed = { name: "Win a phone", skills: "https://pills.example", mobile: "1900 123 456", street: "Cheap Street" };

test("VOL-11: the applicant's confirmation has the reference and the page's link, and repeats nothing that was typed", async () => {
  const id = await make({ ...typed, reference: "V-AAAA-BBBB-CCCC" });
  const [email, ...more] = await send({ template: "application-received", applicationId: id });
  expect(more).toEqual([]);
  expect(email).toMatchObject({ recipient: "amina@example.com", subject: `${ours().name} has your application` });
  expect(email!.message_id).toMatch(new RegExp(`^<application-${id}-[\\w-]{12}@${host}>$`));
  expect(headOf(email!.source)).toContain(`Reply-To: ${coordinator()}`);
  for (const said of ["V-AAAA-BBBB-CCCC", "If you did not apply", ours().phone]) {
    expect(email!.text_body).toContain(said);
    expect(email!.html_body).toContain(said);
  }
  expect(email!.text_body).toContain(await pageOf(id));
  for (const word of [...Object.values(typed), "Bilal"]) expect(email!.source.toString()).not.toContain(word);
});

test("VOL-11: the same confirmation twice is one email, and one to a corrected address is another", async () => {
  const id = await make();
  await send({ template: "application-received", applicationId: id });
  expect(await send({ template: "application-received", applicationId: id })).toHaveLength(1);
  await site.pool.query("update volunteer_applications set email = 'right@example.com' where id = $1", [id]);
  const emails = await send({ template: "application-received", applicationId: id });
  expect(emails.map(({ recipient }) => recipient)).toEqual(["amina@example.com", "right@example.com"]);
});

const longText = `${"میں پاکستان میں مدد کرنا چاہتی ہوں، 🌱 دل سے۔\n".repeat(80)}`.slice(0, 3000).trim();

test("VOL-3, VOL-4: the coordinator's email has the phone number, and names in Urdu and texts of 3,000 characters in full", async () => {
  const id = await make({
    name: "آمنہ رضا",
    skills: longText,
    experience: "Two years\n\nat a kitchen <b>",
    street: "Lake 5",
  });
  const [email] = await send({ template: "new-application", applicationId: id });
  expect(email).toMatchObject({
    message_id: `<new-application-${id}@${host}>`,
    recipient: coordinator(),
    subject: "Application to volunteer from \u2068آمنہ رضا\u2069",
  });
  const mail = await simpleParser(email!.source, { skipTextToHtml: true });
  expect(mail.replyTo?.text).toBe("amina@example.com");
  expect(mail.subject).toBe(email!.subject);
  const { reference } = await site.database
    .selectFrom("volunteer_applications")
    .select("reference")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const facts = ["آمنہ رضا", "0412 345 678", "Events, Fundraising", "Weekends", longText];
  for (const said of [reference, ...facts, `https://${host}/admin/volunteers/${id}`]) {
    expect(mail.text).toContain(said);
    expect(mail.html).toContain(said);
  }
  expect(mail.text).toContain("Two years\n\nat a kitchen <b>");
  expect(mail.html).not.toContain("<b>");
  for (const hidden of ["Bilal", "0498 765 432", "98765432", "Lake 5"]) expect(mail.text).not.toContain(hidden);
  expect(mail.attachments).toEqual([]);
});

test("VOL-11: nothing that was typed starts a header or makes a long subject", async () => {
  const id = await make({ name: 'x\r\nBcc: all@example.com\r\n\r\n"><script>'.repeat(3) });
  const [email] = await send({ template: "new-application", applicationId: id });
  expect(headOf(email!.source)).not.toMatch(/^bcc:/im);
  expect(email!.html_body).not.toContain("<script>");
  expect([...email!.subject].length).toBeLessThanOrEqual(78);
});

test.each([
  ["approved", ["Fundraising"], "Your roles: Fundraising."],
  ["waiting", undefined, "You are on our waiting list"],
  ["declined", undefined, "cannot take you on this time"],
] as const)(
  "VOL-11: the decision %s is sent once to the applicant, without staff's reason",
  async (to, roles, text) => {
    const id = await make({ ...typed, stage: "in_review", stage_version: 2 });
    const move = { id, version: 2, to, actor: "Sana", reason: "too many already", ...(roles && { roles }) };
    expect(await moveApplication(site.services, move)).toMatchObject({ ok: true });
    const job = { template: "application-decided", applicationId: id, stageVersion: 3 } as const;
    await send(job);
    const [email, ...more] = await send(job);
    expect(more).toEqual([]);
    expect(email).toMatchObject({
      message_id: `<application-decided-${id}-3@${host}>`,
      recipient: "amina@example.com",
    });
    expect(email!.text_body).toContain(text);
    expect(email!.text_body).toContain(await pageOf(id, "decided_at"));
    for (const hidden of [...Object.values(typed), "too many already", "Sana"]) {
      expect(email!.source.toString()).not.toContain(hidden);
    }
  },
);

test("VOL-11: a volunteer whose roles are changed before the welcome is sent still gets it, once, with the roles of now", async () => {
  const id = await make({ stage: "in_review", stage_version: 2 });
  await moveApplication(site.services, { id, version: 2, to: "approved", roles: ["Fundraising"], actor: "Sana" });
  const job = { template: "application-decided", applicationId: id, stageVersion: 3 } as const;
  expect(await changeRoles(site.services, { id, version: 3, roles: ["Administration"], actor: "Sana" })).toEqual({
    ok: true,
  });
  const [email] = await send(job);
  expect(email).toMatchObject({ message_id: `<application-decided-${id}-3@${host}>` });
  expect(email!.text_body).toContain("Your roles: Administration.");
  await moveApplication(site.services, { id, version: 4, to: "in_review", actor: "Sana" });
  expect(await send(job)).toHaveLength(1);
});

test("VOLA-11: the email that welcomes a volunteer says that shifts are on the page behind its link", async () => {
  const id = await make({ stage: "approved", roles: ["Fundraising"], decided_at: new Date() });
  const [email] = await send({ template: "application-decided", applicationId: id, stageVersion: 1 });
  expect(email!.text_body).toContain("On the page below you can sign up for shifts in your roles.");
  expect(email!.text_body).toContain("Sign up for shifts:");
  expect(email!.text_body).toContain(await pageOf(id, "decided_at"));
});

test("VOL-11: a decision that no longer holds is not sent", async () => {
  const id = await make({ stage: "in_review", stage_version: 4 });
  expect(await send({ template: "application-decided", applicationId: id, stageVersion: 3 })).toEqual([]);
  expect(await send({ template: "application-decided", applicationId: id, stageVersion: 4 })).toEqual([]);
  expect(await send({ template: "volunteer-withdrew", applicationId: id })).toEqual([]);
});

test("VOL-11: the coordinator is told who left, and which role they had", async () => {
  const id = await make({ stage: "in_review", stage_version: 2 });
  const actor = "Sana";
  await moveApplication(site.services, { id, version: 2, to: "approved", roles: ["Fundraising"], actor });
  await moveApplication(site.services, { id, to: "withdrawn", actor: "applicant" });
  const [email] = await send({ template: "volunteer-withdrew", applicationId: id });
  expect(email).toMatchObject({ recipient: coordinator(), subject: "Amina Raza has withdrawn" });
  expect(email!.text_body).toContain("Roles: Fundraising");
  for (const said of ["0412 345 678", `/admin/volunteers/${id}`]) expect(email!.text_body).toContain(said);
});

test("VOL-3: volunteer and coordinator are told of a check's end, once before it and once after", async () => {
  const id = await make({ stage: "approved", roles: ["Field Work"] });
  const check = { state: "NSW", number: "WWC1234567V", kind: "volunteer", expiresOn: "2028-03-01" } as const;
  const recorded = await recordCheck(site.services, { applicationId: id, check, actor: "Sana" });
  const checkId = recorded.ok ? recorded.id : "";
  const both = async () => {
    await send({ template: "check-expires", checkId });
    return send({ template: "volunteer-check-expires", checkId });
  };
  const before = await both();
  expect(before.map(({ recipient, subject }) => [recipient, subject])).toEqual([
    ["amina@example.com", "Your Working With Children Check expires soon"],
    [coordinator(), "Working With Children Check of Amina Raza expires soon"],
  ]);
  for (const { text_body } of before) expect(text_body).toContain("expires on 1 March 2028");
  expect(before[0]!.text_body).not.toContain("Amina");
  expect(before[1]!.text_body).toContain("NSW WWC1234567V");
  expect(await both()).toHaveLength(2);
  await site.pool.query("update working_with_children_checks set expiry_notice_sent_at = now() where id = $1", [
    checkId,
  ]);
  const after = await both();
  expect(after).toHaveLength(4);
  for (const { text_body } of after.slice(2)) expect(text_body).toContain("expired on 1 March 2028");
  await recordCheck(site.services, { applicationId: id, check: { ...check, number: "WWC7" }, actor: "Sana" });
  await site.pool.query("delete from mailbox_messages");
  expect(await both()).toEqual([]);
});
