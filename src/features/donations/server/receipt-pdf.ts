import { formatDollars } from "#shared/money.ts";
import { addPage, colours, drawArtifact, openSheet, page, pageWidth, type Sheet, write } from "#shared/pdf/sheet.ts";
import { type Column, drawTable, type Row } from "#shared/pdf/table.ts";
import { layText, lineHeight } from "#shared/pdf/text-lines.ts";
import type { Giving, ReceiptData } from "./receipt.ts";

const small = { face: "regular", size: 9 } as const;
const text = { face: "regular", size: 10 } as const;
const strong = { face: "bold", size: 10 } as const;

/** The paper of a receipt: A4, tagged for screen readers, the same bytes for the same data. */
export async function renderReceipt(data: ReceiptData): Promise<Buffer> {
  const { number, issuedAt, organisation } = data;
  const sheet = openSheet({ title: `Receipt ${number}`, author: organisation.name, madeAt: new Date(issuedAt) });
  writeHead(sheet, data);
  writeDetails(sheet, data);
  drawTable(
    sheet,
    columns,
    data.lines.map((line) => rowOf(line, data)),
  );
  writeSums(sheet, data);
  writeGiftStatement(sheet, data);
  return sheet.finish(`${organisation.name} · Receipt ${number}`);
}

const longDate = new Intl.DateTimeFormat("en-AU", { dateStyle: "long", timeZone: "UTC" });

/** 21 November 2026, from 2026-11-21. */
export function formatDay(day: string): string {
  return longDate.format(new Date(`${day}T00:00:00Z`));
}

export function donorOf({ donorName }: Giving): string {
  return donorName ?? "Anonymous donor";
}

/** What of the total is a gift: the gift lines, without any fee. */
export function giftCents({ lines }: Giving): number {
  return lines.reduce((sum, { kind, lineCents }) => sum + (kind === "gift" ? lineCents : 0), 0);
}

/** Only a deductible gift recipient says so, and only of gifts. */
export function saysGift(data: ReceiptData): boolean {
  return data.organisation.isDeductibleGiftRecipient && giftCents(data) > 0;
}

function writeHead(sheet: Sheet, { number, organisation }: ReceiptData) {
  const left = { left: page.left, width: 190 };
  const titleEnd = write(sheet, "H1", "Receipt", { ...left, face: "bold", size: 28, top: 46, colour: colours.ink });
  const numberEnd = write(sheet, "P", number, {
    ...left,
    face: "bold",
    size: 13,
    top: titleEnd - 2,
    colour: colours.tile,
  });
  const right = { left: page.left + 210, width: pageWidth - 210, align: "right" } as const;
  let y = write(sheet, "P", organisation.name, { ...right, face: "bold", size: 13, top: 52, colour: colours.ink });
  const lines = [`ABN ${organisation.abn}`, organisation.address, `${organisation.phone} · ${organisation.email}`];
  for (const line of lines) y = write(sheet, "P", line, { ...right, ...small, top: y + 1, colour: colours.muted });
  sheet.y = Math.max(numberEnd, y) + 18;
}

function writeDetails(sheet: Sheet, data: ReceiptData) {
  const half = pageWidth / 2 - 12;
  const top = sheet.y;
  const left = { left: page.left, width: half };
  let y = write(sheet, "P", "Received from", { ...left, ...small, top, colour: colours.muted });
  y = write(sheet, "P", donorOf(data), {
    ...left,
    face: "bold",
    size: 14,
    top: y + 2,
    colour: colours.ink,
    maxLines: 6,
  });
  const details = [
    `Total paid: ${formatDollars(data.totalCents)} ${data.currency}`,
    `Date of payment: ${formatDay(data.paidOn)}`,
    `Payment method: ${data.method}`,
    `Our reference: ${data.reference}`,
    `Fund: ${data.organisation.fund}`,
  ];
  let below = top;
  for (const [index, line] of details.entries()) {
    const style = index === 0 ? { ...strong, colour: colours.ink } : { ...small, colour: colours.ink };
    below = write(sheet, "P", line, { ...style, left: page.left + half + 24, width: half, top: below + 1 });
  }
  sheet.y = Math.max(y, below) + 18;
}

const columns: readonly Column[] = [
  { title: "Donation", width: pageWidth - 210, align: "left" },
  { title: "Quantity", width: 60, align: "right" },
  { title: "Each", width: 75, align: "right" },
  { title: "Amount", width: 75, align: "right" },
];

function rowOf(
  { title, kind, quantity, unitCents, lineCents, onBehalfOf }: ReceiptData["lines"][number],
  data: ReceiptData,
): Row {
  const ink = { ...text, colour: colours.ink };
  const remark = { ...small, size: 8.5 };
  return [
    [
      { ...strong, text: title, colour: colours.ink },
      ...(onBehalfOf.length === 0
        ? []
        : [{ ...remark, text: `On behalf of: ${onBehalfOf.join(", ")}`, colour: colours.muted }]),
      kind === "gift"
        ? { ...remark, text: "Gift", colour: colours.tile }
        : { ...remark, text: data.organisation.notDeductibleStatement, colour: colours.madder },
    ],
    [{ ...ink, text: String(quantity) }],
    [{ ...ink, text: formatDollars(unitCents) }],
    [{ ...ink, text: formatDollars(lineCents) }],
  ];
}

/** The sums stay together on one page. */
function writeSums(sheet: Sheet, data: ReceiptData) {
  keepRoom(sheet, 130);
  const { subtotalCents, adminFeeCents, merchantFeeCents, totalCents, currency } = data;
  const hasFees = adminFeeCents + merchantFeeCents > 0;
  const sums = [
    ...(hasFees ? [["Donations", subtotalCents] as const] : []),
    ...(adminFeeCents > 0 ? [["Admin fee", adminFeeCents] as const] : []),
    ...(merchantFeeCents > 0 ? [["Merchant fee", merchantFeeCents] as const] : []),
  ];
  const place = { left: page.left, width: pageWidth - 6, align: "right" } as const;
  let y = sheet.y + 10;
  for (const [label, cents] of sums) {
    y = write(sheet, "P", `${label}: ${formatDollars(cents)}`, { ...place, ...text, top: y, colour: colours.ink });
  }
  const total = `Total paid (${currency}): ${formatDollars(totalCents)}`;
  y = write(sheet, "P", total, { ...place, face: "bold", size: 14, top: y + 3, colour: colours.ink });
  if (hasFees) {
    const names = [adminFeeCents > 0 ? "admin fee" : "", merchantFeeCents > 0 ? "merchant fee" : ""].filter(Boolean);
    const sentence = `The total paid includes the ${names.join(" and the ")} shown above.`;
    y = write(sheet, "P", sentence, { ...place, ...small, top: y + 2, colour: colours.muted });
  }
  sheet.y = y + 16;
}

function writeGiftStatement(sheet: Sheet, data: ReceiptData) {
  const { organisation } = data;
  keepRoom(sheet, 150);
  if (saysGift(data)) {
    const top = sheet.y;
    const field = { left: page.left + 18, width: pageWidth - 36 };
    const { lines } = layText(sheet.document, organisation.giftStatement, text, field.width);
    const height = lineHeight(text) * lines.length + lineHeight(strong) + 20;
    drawArtifact(sheet.document, () => {
      sheet.document.rect(page.left, top, pageWidth, height).fill(colours.tileTint);
      sheet.document.rect(page.left, top, 4, height).fill(colours.tile);
    });
    const y = write(sheet, "P", organisation.giftStatement, { ...field, ...text, top: top + 10, colour: colours.ink });
    const amount = `Amount of the gift: ${formatDollars(giftCents(data))} ${data.currency}`;
    write(sheet, "P", amount, { ...field, ...strong, top: y, colour: colours.ink });
    sheet.y = top + height + 16;
  }
  const place = { left: page.left, width: pageWidth };
  const thanks = "Thank you for your kindness. Please keep this receipt for your records.";
  const y = write(sheet, "P", thanks, { ...place, ...text, top: sheet.y, colour: colours.ink });
  const contact = `Questions about this receipt? Call ${organisation.phone} or write to ${organisation.email}.`;
  sheet.y = write(sheet, "P", contact, { ...place, ...small, top: y + 2, colour: colours.muted });
}

function keepRoom(sheet: Sheet, points: number) {
  if (sheet.y + points > page.bottom) addPage(sheet);
}
