import { expect, test } from "vitest";
import { writeReadableData } from "./readable-data.ts";

const write = (data: object) => writeReadableData({ title: "Data", about: "All of it." }, data);

test("PER-7: the readable page has every value in words: amounts, times in Sydney, lists and what is missing", () => {
  const page = write({
    donations: [{ givenAt: new Date("2026-11-26T03:04:05Z"), totalCents: 10_658, isAnonymous: false, postcode: null }],
    messages: [],
  });
  for (const said of [
    "<h2>Donations</h2>",
    "<dt>Given at</dt><dd>26 November 2026 at 2:04:05 pm</dd>",
    "<dt>Total</dt><dd>$106.58</dd>",
    "<dt>Is anonymous</dt><dd>No</dd>",
    "<dt>Postcode</dt><dd>—</dd>",
    "<h2>Messages</h2>\nNothing",
  ]) {
    expect(page).toContain(said);
  }
});

test("PER-7: nothing that a person wrote is code on the readable page, and only pictures of our own are shown", () => {
  const page = write({
    "<b>": "<script>alert(1)</script>",
    photo: "data:image/png;base64,AAAA",
    fake: 'data:image/png;base64,AAAA" onerror="alert(1)',
    time: "2026-99-99T99:99:99 and more",
  });
  expect(page).not.toMatch(/<script|<b>|<img [^>]*onerror/);
  expect(page).toContain('<img src="data:image/png;base64,AAAA" alt="">');
  expect(page).toContain("2026-99-99T99:99:99 and more");
});
