import { describe, expect, test } from "vitest";
import { type CartCategory, retitle } from "./cart.ts";
import { type KeepableDonation, readDraft, writeDraft } from "./draft.ts";

const now = Date.UTC(2026, 10, 21);
const category: CartCategory = {
  id: 3,
  title: "Qurban",
  hasSubcategories: true,
  subcategories: [],
  quantityIsEditable: true,
  amountIsEditable: false,
  amountCents: null,
  asksNames: true,
  adminFeeApplies: true,
};
const DAY_MS = 86_400_000;
const draft: KeepableDonation = {
  userId: 0,
  personal: { firstName: "Sana", lastName: "Malik", email: "sana@example.com", postcode: "2144", isAnonymous: false },
  lines: [{ category: "Qurban", subcategory: "Goat", quantity: 2, unitCents: 19_000, onBehalfOf: ["Ali"] }],
  coversAdminFee: true,
  method: "pp",
  payment: undefined,
};

describe("the draft", () => {
  test("DON-20: comes back as it was kept", () => {
    expect(readDraft(writeDraft(draft, now), { now: now + DAY_MS, userId: 0 })).toMatchObject({
      personal: draft.personal,
      lines: draft.lines,
      coversAdminFee: true,
      method: "pp",
    });
  });

  test("DON-20, LANG-5: a line is known by its ids where titles have changed, and by its titles where it has no ids", () => {
    const goat = { id: 31, title: "Bakra", amountCents: 19_000 };
    const now = [{ ...category, id: 3, title: "Qurbani", subcategories: [goat] }];
    const withIds = { ...draft.lines[0]!, categoryId: 3, subcategoryId: 31 };
    expect(retitle(withIds, now)).toMatchObject({ category: "Qurbani", subcategory: "Bakra" });
    const before = [{ ...category, id: 3, title: "Qurban", subcategories: [{ ...goat, title: "Goat" }] }];
    expect(retitle(draft.lines[0]!, before)).toEqual({ ...withIds, category: "Qurban", subcategory: "Goat" });
    expect(retitle(withIds, [])).toEqual(withIds);
  });

  test("DON-13, DON-20: one that was kept before PayPal was offered is paid by card", () => {
    const before = writeDraft(draft, now).replace(',"method":"pp"', "");
    expect(before).not.toContain("method");
    expect(readDraft(before, { now, userId: 0 })?.method).toBe("cc");
  });

  test("DON-20: one that release 0.1 kept is still read, so a new field needs a default", () => {
    const kept =
      '{"version":1,"savedAt":1795219200000,"userId":0,"personal":{"firstName":"Sana","lastName":"Malik",' +
      '"email":"sana@example.com","postcode":"2144","isAnonymous":false},"lines":[{"categoryId":2,"category":"Zakat",' +
      '"subcategory":"","quantity":1,"unitCents":10000,"onBehalfOf":[]}],"coversAdminFee":true,"method":"cc"}';
    const when = { now: 1_795_219_200_000, userId: 0 };
    expect(readDraft(kept, when)).toMatchObject({ personal: { lastName: "Malik" }, lines: [{ unitCents: 10_000 }] });
    expect(readDraft(kept.replace('"lastName":"Malik",', ""), when)).toBeUndefined();
  });

  test("DON-20: is gone after 7 days", () => {
    const text = writeDraft(draft, now);
    expect(readDraft(text, { now: now + 7 * DAY_MS, userId: 0 })).toBeDefined();
    expect(readDraft(text, { now: now + 7 * DAY_MS + 1, userId: 0 })).toBeUndefined();
  });

  test("DON-20: keeps the payment's key, and its id once known", () => {
    const payment = {
      key: crypto.randomUUID(),
      id: crypto.randomUUID(),
      totalCents: 12_789,
      email: "sana@example.com",
    };
    expect(readDraft(writeDraft({ ...draft, payment }, now), { now, userId: 0 })?.payment).toEqual(payment);
  });

  test("DON-20: never holds a card token, a captcha or anything else that somebody hands over with it", () => {
    const careless = { ...draft, token: "b9f1", captcha: "solved", card: { number: "4564710000000004" } };
    const kept = writeDraft(careless, now);
    for (const secret of ["b9f1", "solved", "4564"]) expect(kept).not.toContain(secret);
  });

  test("DON-20: is ignored if it is damaged, of another version or not a draft at all", () => {
    const good = writeDraft(draft, now);
    for (const text of [
      null,
      "",
      "{",
      "[]",
      '"draft"',
      good.replace('"version":1', '"version":2'),
      good.slice(0, -2),
    ]) {
      expect(readDraft(text, { now, userId: 0 })).toBeUndefined();
    }
    expect(readDraft(good.replace("19000", "-19000"), { now, userId: 0 })).toBeUndefined();
  });

  test("DON-20: one account's draft is not shown to another, nor to a guest; a guest's stays when they log in", () => {
    const members = writeDraft({ ...draft, userId: 7 }, now);
    expect(readDraft(members, { now, userId: 7 })).toBeDefined();
    expect(readDraft(members, { now, userId: 8 })).toBeUndefined();
    expect(readDraft(members, { now, userId: 0 })).toBeUndefined();
    expect(readDraft(writeDraft(draft, now), { now, userId: 7 })).toBeDefined();
  });
});
