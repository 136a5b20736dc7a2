import { expect, test } from "vitest";
import { chashma as organisation } from "#test/organisation.ts";
import { composeEmail } from "./compose-email.ts";
import { composeSource } from "./compose-source.ts";
import { LOGO_ID, paragraph } from "./email-layout.ts";

const draft = {
  id: "one",
  subject: "Hello",
  to: { name: "Amina", address: "amina@example.org" },
  blocks: [paragraph("Thank you.")],
};
const logo = { onLight: new Uint8Array([1]), onDark: new Uint8Array([137, 80, 78, 71]), words: "Rivers Trust" };
const look = { colours: { main: "#7a1f5c", accent: "#f7b73c" }, isPlain: false, logo } as const;

test("BRA-7: an email has the brand’s colours, and its logo travels inside with its words", async () => {
  const sender = { organisation, publicUrl: "https://give.example" };
  const plain = composeEmail(sender, draft);
  expect(plain.html).toContain("background:#16214f");
  expect(plain.attachments).toEqual([]);
  const email = composeEmail({ ...sender, look }, draft);
  expect(email.html).toContain(".head{background:#7a1f5c");
  expect(email.html).toContain(`src="cid:${LOGO_ID}" alt="Rivers Trust"`);
  const linesOf = (isPlain: boolean) =>
    /border-top:4px/.test(composeEmail({ ...sender, look: { ...look, isPlain } }, draft).html);
  expect([linesOf(false), linesOf(true)]).toEqual([true, false]);
  const [attached] = email.attachments;
  const source = await composeSource({
    from: "a@give.example",
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: {},
    messageId: email.messageId,
    to: email.to,
    subject: email.subject,
    text: email.text,
    html: email.html,
    attachments: [{ filename: attached!.filename, contentType: "image/png", content: attached!.content, cid: LOGO_ID }],
  } as never);
  expect(source.toString()).toContain(`Content-ID: <${LOGO_ID}>`);
});
