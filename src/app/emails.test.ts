import fc from "fast-check";
import { expect, test } from "vitest";
import type { Sender } from "#shared/mail/compose-email.ts";
import { type DeclaredEmail, deliveredWords, placeholdersOf } from "#shared/mail/declared-email.ts";
import { layOutEmail } from "#shared/mail/email-layout.ts";
import { faultIn, kindOfText } from "#shared/mail/text-faults.ts";
import { injections } from "#test/injections.ts";
import { chashma } from "#test/organisation.ts";
import { emailGroups } from "./emails.ts";
import { allFeatures } from "./feature.ts";

const emails = [...emailGroups.values()].flat();
const byName = emails.map((email) => [email.name, email] as const);

const senderWith = (edits: Readonly<Record<string, Readonly<Record<string, string>>>> = {}): Sender => ({
  organisation: chashma,
  publicUrl: "https://give.chashma.example",
  texts: new Map(Object.entries(edits)),
});

const examplesOf = ({ examples }: DeclaredEmail, sender: Sender) =>
  Object.values(examples).map((compose) => compose(sender));

/** The tags, which words cannot change as long as they stay words. */
const tagsOf = (html: string) => html.replaceAll(' dir="auto"', "").match(/<(?!\/?bdi>)[^>]*>/g);

/** What no words can leave out: codes, amounts, buttons and the organisation's details. */
const fixedOf = (html: string) => html.match(/<(dl|a|footer)\b[\s\S]*?<\/\1>/g);

test("SET-6: every email of the site is declared, once, for a template that is sent", () => {
  const templates = [...allFeatures.flatMap((feature) => Object.keys(feature.emails)), "new-link", "account-closed"];
  const names = emails.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect([...new Set(names.map((name) => name.split(".")[0]!))].sort()).toEqual([...new Set(templates)].sort());
});

test.each(byName)(
  "SET-6, SET-9: the words of '%s' as delivered are valid, and its examples show each of them",
  (_, email) => {
    for (const name of Object.keys(email.texts)) {
      expect(faultIn(email, name, deliveredWords(email, name))).toBeNull();
      const needed = [...deliveredWords(email, name).matchAll(/\{\w+\}/g)].map(([each]) => each);
      const edited = ["Marked", ...new Set(needed)].join(" ");
      const shown = examplesOf(email, senderWith({ [email.name]: { [name]: edited } }));
      expect([name, shown.some(({ subject, text }) => `${subject}\n${text}`.includes("Marked"))]).toEqual([name, true]);
    }
    for (const { subject, text } of examplesOf(email, senderWith())) expect(`${subject}${text}`).not.toMatch(/[{}]/);
  },
);

test("SET-7: the comparison notices markup that is not escaped (negative control)", () => {
  const draw = (markup: string) => layOutEmail(chashma, { title: { text: "", markup: { markup } }, blocks: [] }).html;
  const noticed = injections.filter((each) => String(tagsOf(draw(each))) !== String(tagsOf(draw("words"))));
  expect(noticed.length).toBeGreaterThan(injections.length / 2);
});

/** Words of all kinds, with placeholders that the email has, and others. */
const wordsFor = (email: DeclaredEmail) => {
  const placeholders = Object.keys(placeholdersOf(email)).map((name) => `{${name}}`);
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...placeholders) },
    { weight: 2, arbitrary: fc.constantFrom(...injections) },
    { weight: 1, arbitrary: fc.constantFrom("{nobody}", "{", "}", "{{name}}", "\n\n", "سلام", "-- \n", "") },
    { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  );
  return fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(" "));
};

const editsOf = (email: DeclaredEmail) =>
  fc
    .record(
      Object.fromEntries(
        Object.keys(email.texts).map((name) => [
          name,
          fc.tuple(fc.oneof(wordsFor(email), fc.constant("Salaam")), fc.boolean()),
        ]),
      ),
    )
    .map((edits) =>
      // Half of them keep the placeholders that they must keep, so that many are valid.
      Object.entries(edits).map(([name, [words, isWhole]]) => {
        const line = kindOfText(name) === "paragraph" ? words : words.replace(/\s+/g, " ");
        return [name, isWhole ? `${deliveredWords(email, name)} ${line}`.trim() : line.trim()] as const;
      }),
    );

test.each(byName)("SET-7: random and hostile words never break '%s': each is refused, or sent as words", (_, email) => {
  const delivered = examplesOf(email, senderWith());
  let sent = 0;
  fc.assert(
    fc.property(editsOf(email), (edits) => {
      const messages = examplesOf(email, senderWith({ [email.name]: Object.fromEntries(edits) }));
      for (const [index, { html, text, subject, attachments, to }] of messages.entries()) {
        const before = delivered[index]!;
        expect(tagsOf(html)).toEqual(tagsOf(before.html));
        expect(fixedOf(html)).toEqual(fixedOf(before.html));
        expect(`${subject}${text}`).not.toMatch(/[{}]/);
        expect(subject.trim()).not.toBe("");
        expect(subject).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
        expect([attachments.length, to]).toEqual([before.attachments.length, before.to]);
      }
      sent += edits.filter(([name, words]) => faultIn(email, name, words) === null).length;
    }),
    { numRuns: 12, seed: 6 },
  );
  expect(sent).toBeGreaterThan(0);
});
