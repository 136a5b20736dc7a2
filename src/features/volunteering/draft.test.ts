import { expect, test } from "vitest";
import { type KeepableApplication, readDraft, untouched, writeDraft } from "./draft.ts";

const DAY = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 10, 21);
const kept: KeepableApplication = {
  typed: { ...untouched, name: "آمنہ رضا", interests: ["Events"], skills: "x".repeat(3500) },
  sent: { key: "0d7a4a1e-6a43-4f6e-9a0e-2a1d2f0f9b11", words: "the words" },
};

test("VOL-10: a draft is kept unchanged for seven days, and no longer", () => {
  const text = writeDraft(kept, now);
  expect(readDraft(text, now + 7 * DAY)).toMatchObject(kept);
  expect(readDraft(text, now + 7 * DAY + 1)).toBeUndefined();
  expect(readDraft(text, now - 8 * DAY)).toBeUndefined();
});

test("VOL-10: a draft that was kept before the form got another field is still read", () => {
  const text = writeDraft(kept, now).replace('"availability":"Availability",', "");
  expect(text).not.toContain("availability");
  expect(readDraft(text, now)).toMatchObject(kept);
});

test("VOL-10: a missing, damaged or other version's draft is ignored", () => {
  const text = writeDraft({ typed: untouched, sent: undefined }, now);
  expect(readDraft(text, now)?.sent).toBeUndefined();
  expect(readDraft(null, now)).toBeUndefined();
  expect(readDraft(text.slice(0, -2), now)).toBeUndefined();
  expect(readDraft(text.replace('"version":1', '"version":2'), now)).toBeUndefined();
  expect(readDraft(text.replace('"interests":[]', '"interests":"Events"'), now)).toBeUndefined();
});
