import { expect, test } from "vitest";
import { keepTogether, keepTogetherInHtml } from "./language.ts";

const show = (text: string) => keepTogether(text).replaceAll("\u00a0", "_");

test.each([
  ["Saturday 6 February 2027 8:00 PM to 11:00 PM (UTC+05)", "Saturday 6_February_2027 8:00_PM to 11:00_PM (UTC+05)"],
  ["Sunday 7 February 2027, 2:00 – 5:00\u202fam", "Sunday 7_February_2027, 2:00_–_5:00_am"],
  ["14 to 16 May", "14 to 16_May"],
  ["Call 1300 000 000 or +61 412 345 678.", "Call 1300_000_000 or +61_412_345_678."],
  ["ABN 99 000 000 000", "ABN 99_000_000_000"],
  ["At most $50,000.00 AUD at 7 pm", "At most $50,000.00_AUD at 7_pm"],
  ["Two of 30 people came in 2024.", "Two of 30 people came in 2024."],
])("LAY-13: no line breaks within a number of %j", (text, kept) => {
  expect(show(text)).toBe(kept);
});

test("LAY-13: in HTML only the text between the tags changes", () => {
  expect(keepTogetherInHtml('<p title="6 May 2026"><a href="/x?a=1 2">On 6 May 2026</a> at 7 pm')).toBe(
    '<p title="6 May 2026"><a href="/x?a=1 2">On 6\u00a0May\u00a02026</a> at 7\u00a0pm',
  );
});
