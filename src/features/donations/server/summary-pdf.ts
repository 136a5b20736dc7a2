import type { DocumentLook } from "#shared/brand/document-look.ts";
import { dayInSydney, formatDay, formatDollars, formatNumber, plural } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import { addPage, colours, drawLogo, openSheet, pageBox, pageWidth, type Sheet, write } from "#shared/pdf/sheet.ts";
import type { DayRange } from "../history.ts";
import { deductibleCents, keptCents } from "./donation-sums.ts";
import type { SummaryDonation } from "./history.ts";
import { beginTable, type Column, type TableRow } from "./pdf-table.ts";

export type Summary = {
  readonly organisation: Organisation;
  readonly donor: { readonly name: string; readonly email: string };
  readonly range: DayRange;
  /** Oldest first. */
  readonly donations: readonly SummaryDonation[];
  readonly madeAt: Date;
  readonly look?: DocumentLook;
};

const small = { face: "regular", size: 9 } as const;
const remark = { face: "regular", size: 8 } as const;
const text = { face: "regular", size: 10 } as const;
const strong = { face: "bold", size: 10 } as const;

/** Called in a worker by `renderSummary`. */
export function drawSummary(summary: Summary): Promise<Buffer> {
  const { organisation, donations, madeAt, range, look } = summary;
  const title = `Donation summary, ${formatRange(range)}`;
  const sheet = openSheet({ title, author: organisation.name, madeAt, look });
  writeHead(sheet, summary);
  if (donations.length > 0) {
    const drawRow = beginTable(sheet, columnsOf(organisation));
    for (const donation of donations) drawRow(rowOf(donation));
  }
  writeTotals(sheet, summary);
  return sheet.finish(`${organisation.name} · ${title}`);
}

function formatRange({ from, to }: DayRange): string {
  return `${formatDay(from)} to ${formatDay(to)}`;
}

/** What we kept of a donation's gifts, without fees, and of the rest: other lines and fees. */
function partsOf(donation: SummaryDonation) {
  const gifts = deductibleCents(donation);
  return { gifts, rest: keptCents(donation) - gifts };
}

function writeHead(sheet: Sheet, { organisation, donor, range, madeAt }: Summary) {
  const left = { left: pageBox.left, width: 270 };
  const ink = colours.ink;
  const titleEnd = write(sheet, "H1", "Donation summary", { ...left, face: "bold", size: 26, top: 46, colour: ink });
  const right = { left: pageBox.left + 280, width: pageWidth - 280, align: "right" } as const;
  const begin = drawLogo(sheet, sheet.look, { name: organisation.name, top: 52 });
  let y = write(sheet, "P", organisation.name, { ...right, face: "bold", size: 13, top: begin, colour: ink });
  const { abn, address, phone, email } = organisation;
  for (const line of [abn === "" ? "" : `ABN ${abn}`, address, `${phone} · ${email}`].filter(Boolean)) {
    y = write(sheet, "P", line, { ...right, ...small, top: y + 1, colour: colours.muted });
  }
  const top = Math.max(titleEnd, y) + 18;
  const muted = { ...small, colour: colours.muted };
  let below = write(sheet, "P", "Donations of", { ...left, ...muted, top });
  below = write(sheet, "P", donor.name, { ...left, face: "bold", size: 14, top: below + 2, colour: ink, maxLines: 6 });
  below = write(sheet, "P", donor.email, { ...left, ...muted, top: below + 1 });
  const column = { left: right.left, width: right.width };
  y = write(sheet, "P", "Period", { ...column, ...muted, top });
  y = write(sheet, "P", formatRange(range), { ...column, ...strong, top: y + 2, colour: ink });
  y = write(sheet, "P", `Made on ${formatDay(dayInSydney(madeAt))}`, { ...column, ...muted, top: y + 1 });
  sheet.y = Math.max(below, y) + 18;
}

function columnsOf({ receipt }: Organisation): readonly Column[] {
  return [
    { title: "Date", width: 78, align: "left" },
    { title: "Receipt", width: 68, align: "left" },
    { title: "Given to", width: pageWidth - 372, align: "left" },
    { title: receipt.isDeductibleGiftRecipient ? "Deductible" : "Gifts", width: 76, align: "right" },
    { title: "Other, fees", width: 74, align: "right" },
    { title: "Total paid", width: 76, align: "right" },
  ];
}

function rowOf(donation: SummaryDonation): TableRow {
  const { paidOn, receiptNumber, lines, refundedCents } = donation;
  const { gifts, rest } = partsOf(donation);
  const cell = { ...small, colour: colours.ink };
  return [
    [{ ...cell, text: formatDay(paidOn, { dateStyle: "medium" }) }],
    [{ ...cell, text: receiptNumber === "" ? "To follow" : receiptNumber }],
    [
      ...lines.flatMap(({ title, kind }) => [
        { ...cell, text: title },
        ...(kind === "gift" ? [] : [{ ...remark, text: "Not deductible", colour: colours.madder }]),
      ]),
      ...(refundedCents === 0
        ? []
        : [{ ...remark, text: `After a refund of ${formatDollars(refundedCents)}`, colour: colours.muted }]),
    ],
    [{ ...cell, text: formatDollars(gifts) }],
    [{ ...cell, text: formatDollars(rest) }],
    [{ ...cell, face: "bold", text: formatDollars(keptCents(donation)) }],
  ];
}

/** What the sums and their notes need, in points, if one of the notes takes two lines. */
const TOTALS_HEIGHT = 145;

/** Keeps the sums and their notes together on one page. */
function writeTotals(sheet: Sheet, { organisation, donations }: Summary) {
  if (sheet.y + TOTALS_HEIGHT > pageBox.bottom) addPage(sheet);
  const parts = donations.map(partsOf);
  const gifts = parts.reduce((sum, part) => sum + part.gifts, 0);
  const rest = parts.reduce((sum, part) => sum + part.rest, 0);
  const isDeductible = organisation.receipt.isDeductibleGiftRecipient;
  const ink = colours.ink;
  const sums = { left: pageBox.left, width: pageWidth - 6, align: "right" } as const;
  let y = sheet.y + 12;
  const place = { left: pageBox.left, width: pageWidth };
  if (donations.length === 0) {
    y = write(sheet, "P", "No donations were paid in this period.", { ...place, ...text, top: y, colour: ink });
  } else {
    const label = isDeductible ? "Tax-deductible gifts" : "Gifts";
    const big = { face: "bold", size: 14 } as const;
    y = write(sheet, "P", `${label} (AUD): ${formatDollars(gifts)}`, { ...sums, ...big, top: y, colour: ink });
    const other = `Other payments and fees: ${formatDollars(rest)}`;
    y = write(sheet, "P", other, { ...sums, ...text, top: y + 2, colour: ink });
    const paid = formatDollars(gifts + rest);
    const total = plural(donations.length, {
      one: `Total paid in 1 donation: ${paid}`,
      other: `Total paid in ${formatNumber(donations.length)} donations: ${paid}`,
    });
    y = write(sheet, "P", total, { ...sums, ...text, top: y + 1, colour: ink });
  }
  const notes = [
    "This is a summary, not a receipt. Each donation has its own receipt, with the number shown. Keep the receipts for tax.",
    "Gifts are shown without fees. Refunded amounts are left out.",
    `Questions? Call ${organisation.phone} or write to ${organisation.email}.`,
  ];
  y += 14;
  for (const note of notes) y = write(sheet, "P", note, { ...place, ...small, top: y + 2, colour: colours.muted });
  sheet.y = y;
}
