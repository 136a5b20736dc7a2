import { setImmediate as othersTurn } from "node:timers/promises";
import { formatDollars } from "#shared/money.ts";
import type { Organisation } from "#shared/organisation.ts";
import { drawInTurn } from "#shared/pdf/draw-in-turn.ts";
import { addPage, colours, openSheet, page, pageWidth, type Sheet, write } from "#shared/pdf/sheet.ts";
import { formatDay } from "#shared/sydney.ts";
import type { DayRange } from "../history.ts";
import { giftCents, keptCents } from "./giving.ts";
import type { PaidGiving } from "./history.ts";
import { beginTable, type Column, type Row } from "./pdf-table.ts";

export type Summary = {
  readonly organisation: Organisation;
  readonly donor: { readonly firstName: string; readonly lastName: string; readonly email: string };
  readonly range: DayRange;
  /** Oldest first. */
  readonly givings: readonly PaidGiving[];
  readonly madeAt: Date;
};

/** Rows that are drawn before other requests get their turn: about ten milliseconds of work. */
const ROWS_A_TURN = 10;

const small = { face: "regular", size: 9 } as const;
const remark = { face: "regular", size: 8 } as const;
const text = { face: "regular", size: 10 } as const;
const strong = { face: "bold", size: 10 } as const;

/** The paper that sums up what somebody gave in a range of days: A4, tagged for screen readers. */
export function renderSummary(summary: Summary): Promise<Buffer> {
  return drawInTurn(() => drawSummary(summary));
}

async function drawSummary(summary: Summary): Promise<Buffer> {
  const { organisation, givings, madeAt, range } = summary;
  const title = `Donation summary, ${sayRange(range)}`;
  const sheet = openSheet({ title, author: organisation.name, madeAt });
  writeHead(sheet, summary);
  if (givings.length > 0) {
    const drawRow = beginTable(sheet, columnsOf(organisation));
    for (const [index, giving] of givings.entries()) {
      drawRow(rowOf(giving));
      if (index % ROWS_A_TURN === ROWS_A_TURN - 1) await othersTurn();
    }
  }
  writeTotals(sheet, summary);
  return sheet.finish(`${organisation.name} · ${title}`);
}

function sayRange({ from, to }: DayRange): string {
  return `${formatDay(from)} to ${formatDay(to)}`;
}

/** What was kept of the gifts among a donation's lines, without fees; and of the rest: what is no gift, and fees. */
function partsOf(giving: PaidGiving) {
  const gifts = giftCents(giving);
  return { gifts, rest: keptCents(giving) - gifts };
}

function writeHead(sheet: Sheet, { organisation, donor, range, madeAt }: Summary) {
  const left = { left: page.left, width: 270 };
  const ink = colours.ink;
  const titleEnd = write(sheet, "H1", "Donation summary", { ...left, face: "bold", size: 26, top: 46, colour: ink });
  const right = { left: page.left + 280, width: pageWidth - 280, align: "right" } as const;
  let y = write(sheet, "P", organisation.name, { ...right, face: "bold", size: 13, top: 52, colour: ink });
  const { abn, address, phone, email } = organisation;
  for (const line of [abn === "" ? "" : `ABN ${abn}`, address, `${phone} · ${email}`].filter(Boolean)) {
    y = write(sheet, "P", line, { ...right, ...small, top: y + 1, colour: colours.muted });
  }
  const top = Math.max(titleEnd, y) + 18;
  const muted = { ...small, colour: colours.muted };
  const name = `${donor.firstName} ${donor.lastName}`;
  let below = write(sheet, "P", "Donations of", { ...left, ...muted, top });
  below = write(sheet, "P", name, { ...left, face: "bold", size: 14, top: below + 2, colour: ink, maxLines: 6 });
  below = write(sheet, "P", donor.email, { ...left, ...muted, top: below + 1 });
  const column = { left: right.left, width: right.width };
  y = write(sheet, "P", "Period", { ...column, ...muted, top });
  y = write(sheet, "P", sayRange(range), { ...column, ...strong, top: y + 2, colour: ink });
  y = write(sheet, "P", `Made on ${sydneyTime.format(madeAt)}`, { ...column, ...muted, top: y + 1 });
  sheet.y = Math.max(below, y) + 18;
}

const sydneyTime = new Intl.DateTimeFormat("en-AU", { dateStyle: "long", timeZone: "Australia/Sydney" });

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

const shortDate = new Intl.DateTimeFormat("en-AU", { dateStyle: "medium", timeZone: "UTC" });

function rowOf(giving: PaidGiving): Row {
  const { paidOn, receiptNumber, lines, refundedCents } = giving;
  const { gifts, rest } = partsOf(giving);
  const cell = { ...small, colour: colours.ink };
  return [
    [{ ...cell, text: shortDate.format(new Date(`${paidOn}T00:00:00Z`)) }],
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
    [{ ...cell, face: "bold", text: formatDollars(keptCents(giving)) }],
  ];
}

/** The sums and what they mean stay together on one page. */
function writeTotals(sheet: Sheet, { organisation, givings }: Summary) {
  if (sheet.y + 170 > page.bottom) addPage(sheet);
  const parts = givings.map(partsOf);
  const gifts = parts.reduce((sum, part) => sum + part.gifts, 0);
  const rest = parts.reduce((sum, part) => sum + part.rest, 0);
  const isDeductible = organisation.receipt.isDeductibleGiftRecipient;
  const ink = colours.ink;
  const sums = { left: page.left, width: pageWidth - 6, align: "right" } as const;
  let y = sheet.y + 12;
  const place = { left: page.left, width: pageWidth };
  if (givings.length === 0) {
    y = write(sheet, "P", "No donations were paid in this period.", { ...place, ...text, top: y, colour: ink });
  } else {
    const label = isDeductible ? "Tax-deductible gifts" : "Gifts";
    const big = { face: "bold", size: 14 } as const;
    y = write(sheet, "P", `${label} (AUD): ${formatDollars(gifts)}`, { ...sums, ...big, top: y, colour: ink });
    const other = `Other payments and fees: ${formatDollars(rest)}`;
    y = write(sheet, "P", other, { ...sums, ...text, top: y + 2, colour: ink });
    const total = `Total paid in ${sayCount(givings.length)}: ${formatDollars(gifts + rest)}`;
    y = write(sheet, "P", total, { ...sums, ...text, top: y + 1, colour: ink });
  }
  const notes = [
    "This is a summary, not a receipt. Each donation has a receipt of its own, under the number shown, and that is the paper to keep for tax.",
    "Gifts are counted without fees. What was refunded is left out.",
    `Questions? Call ${organisation.phone} or write to ${organisation.email}.`,
  ];
  y += 14;
  for (const note of notes) y = write(sheet, "P", note, { ...place, ...small, top: y + 2, colour: colours.muted });
  sheet.y = y;
}

function sayCount(count: number): string {
  return count === 1 ? "1 donation" : `${count.toLocaleString("en-AU")} donations`;
}
