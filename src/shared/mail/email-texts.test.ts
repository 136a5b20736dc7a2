import { expect, test } from "vitest";
import { chashma } from "#test/organisation.ts";
import { composeEmail, type Sender } from "./compose-email.ts";
import { declareEmail } from "./declared-email.ts";
import { layOutEmail, paragraph, remark } from "./email-layout.ts";
import { fillTexts, joinWords } from "./email-texts.ts";
import { faultIn } from "./text-faults.ts";

const thanks = declareEmail({
  name: "thanks",
  title: "Thanks",
  when: "Never.",
  placeholders: {
    amount: "What was paid.",
    name: { about: "Who paid.", isOptional: true },
    day: { about: "When.", isLocal: true },
  },
  texts: { subject: "Thanks for {amount}", hello: "Dear {name},", phone: "Call {phone}.", on: "Paid on {day}." },
  examples: {},
});

const senderWith = (edited?: unknown): Sender => ({
  organisation: chashma,
  publicUrl: "https://give.chashma.example",
  ...(edited !== undefined && { texts: new Map([["thanks", edited]]) }),
});

function compose(edited: unknown, name: string) {
  const say = fillTexts(thanks, senderWith(edited), { amount: "$25.00", name, day: "1 May 2027" });
  const blocks = [paragraph(joinWords(say.hello, say.phone)), remark(say.phone)];
  return composeEmail(senderWith(), { id: "thanks", subject: say.subject, to: { name: "", address: "a@b.c" }, blocks });
}

test("SET-6: without edited words an email has the same bytes as without the means to edit it", () => {
  const { subject, html } = compose(undefined, "Amina <b>");
  expect(subject).toBe("Thanks for $25.00");
  expect(html).toContain(`<p>Dear Amina &lt;b&gt;, Call ${chashma.phone}.</p>`);
  expect(html).toContain(`<p class="small">Call ${chashma.phone}.</p>`);
  expect(html).not.toContain("bdi");
});

test("SET-6, LANG-4: edited words run their own way, and each value in them is text of its own direction", () => {
  const { subject, text, html } = compose({ subject: "{amount} شکریہ", hello: "پیارے {name}،" }, "<i>{amount}</i>");
  expect(subject).toBe("$25.00 شکریہ");
  expect(html).toContain('<h1 dir="auto"><bdi>$25.00</bdi> شکریہ</h1>');
  expect(html).toContain(`<p dir="auto">پیارے <bdi>&lt;i&gt;{amount}&lt;/i&gt;</bdi>، Call ${chashma.phone}.</p>`);
  expect(text).toContain("پیارے <i>{amount}</i>،");
});

test("LANG-4: a name from right to left doesn't move the words and amounts around it, in the plain text too", () => {
  const isolated = "\u2068عائشہ خان\u2069";
  expect(compose(undefined, "عائشہ خان").text).toContain(`Dear ${isolated}, Call`);
  expect(compose({ subject: "{name}: {amount}" }, "عائشہ خان").subject).toBe(`${isolated}: $25.00`);
  const rows = [["Goat (on behalf of محمد علی)", "$190.00"] as const, ["Zakat", "$35.00"] as const];
  const { text } = layOutEmail(chashma, { title: "Thanks", blocks: [{ kind: "rows", rows }] });
  expect(text).toContain("\u2068Goat (on behalf of محمد علی)\u2069: $190.00\nZakat: $35.00");
});

test("SET-7: edited words that are not valid, or no words at all, leave the words as delivered", () => {
  const delivered = compose(undefined, "Amina");
  const useless: readonly unknown[] = [
    { subject: "Thanks" },
    { hello: "" },
    { hello: "{nobody}" },
    { hello: 7, phone: null, subject: ["{"] },
    "Hello",
    null,
    7,
    [],
    [{ hello: "Salaam" }],
    { constructor: "Salaam", toString: "Salaam" },
  ];
  for (const edited of useless) expect(compose(edited, "Amina")).toEqual(delivered);
});

test.each([
  ["hello", "Dear {nmae},", "Did you mean {name}?"],
  ["hello", "Dear {constructor},", "There is no {constructor} in this email. Use {amount}, {name}, {day}"],
  ["hello", "Dear { name },", "Braces stand for nothing else."],
  ["hello", "Dear {name}},", "Braces stand for nothing else."],
  ["subject", "Thanks", "Keep {amount} in this text"],
  ["subject", "{amount}\nBcc: all@example.org", "on one line"],
  ["subject", `{amount} ${"x".repeat(70)}`, "Shorten this to at most 78 characters."],
  ["hello", "\u202eevil", "change the direction"],
  ["hello", "a\u0000b", "control characters"],
  ["hello", " ", "Write something here"],
  ["hello", "\u200b", "Write something here"],
  ["hello", "Dear {name}, on {day}", "Leave {day} out: only texts that have it as delivered can use it."],
  ["on", "Paid.", "Keep {day} in this text"],
])("SET-7: as %s '%j' gets a sentence that says what to do", (name, words, sentence) => {
  expect(faultIn(thanks, name, words)).toContain(sentence);
});

test("SET-7: an optional placeholder may be left out, and a paragraph may have several lines", () => {
  expect(faultIn(thanks, "hello", "Salaam!\n\nKhush amdeed.")).toBeNull();
});
