import { formatDollars } from "#shared/money.ts";
import { drawInTurn } from "#shared/pdf/draw-in-turn.ts";
import { addPage, colours, drawArtifact, openSheet, page, pageWidth, type Sheet, write } from "#shared/pdf/sheet.ts";
import type { TextStyle } from "#shared/pdf/text-atoms.ts";
import { layText, lineHeight } from "#shared/pdf/text-lines.ts";
import { formatDay } from "#shared/sydney.ts";
import { type Giving, giftCents, keptCents } from "./giving.ts";
import { type Column, drawTable, type Row } from "./pdf-table.ts";
import type { ReceiptData, Voided } from "./receipt.ts";

const small = { face: "regular", size: 9 } as const;
const text = { face: "regular", size: 10 } as const;
const strong = { face: "bold", size: 10 } as const;

/** The paper of a receipt: A4, tagged for screen readers, the same bytes for the same data; marked where it is void. */
export function renderReceipt(data: ReceiptData, voided: Voided | null = null): Promise<Buffer> {
  return drawInTurn(() => drawReceipt(data, voided));
}

function drawReceipt(data: ReceiptData, voided: Voided | null): Promise<Buffer> {
  const { number, issuedAt, organisation } = data;
  const title = voided === null ? `Receipt ${number}` : `Receipt ${number} (void)`;
  const sheet = openSheet({ title, author: organisation.name, madeAt: new Date(issuedAt) });
  writeHead(sheet, data);
  if (voided !== null) writeVoid(sheet, voided);
  writeDetails(sheet, data);
  drawTable(
    sheet,
    columns,
    data.lines.map((line) => rowOf(line, data)),
  );
  writeSums(sheet, data);
  if (voided === null) writeGiftStatement(sheet, data);
  writeEnd(sheet, data, voided);
  if (voided !== null) stampVoid(sheet);
  return sheet.finish(`${organisation.name} · ${title}`);
}

export function donorOf({ donorName }: Giving): string {
  return donorName ?? "Anonymous donor";
}

/** Only a deductible gift recipient says so, and only of gifts. */
export function saysGift(data: ReceiptData): boolean {
  return data.organisation.isDeductibleGiftRecipient && giftCents(data) > 0;
}

function writeHead(sheet: Sheet, { number, replaces, organisation }: ReceiptData) {
  const left = { left: page.left, width: 190 };
  const titleEnd = write(sheet, "H1", "Receipt", { ...left, face: "bold", size: 28, top: 46, colour: colours.ink });
  const second = { ...left, face: "bold", size: 13, colour: colours.tile } as const;
  let numberEnd = write(sheet, "P", number, { ...second, top: titleEnd - 2 });
  if (replaces !== null) {
    const place = { ...left, ...small, top: numberEnd + 1, colour: colours.muted };
    numberEnd = write(sheet, "P", `Replaces receipt ${replaces}`, place);
  }
  const right = { left: page.left + 210, width: pageWidth - 210, align: "right" } as const;
  let y = write(sheet, "P", organisation.name, { ...right, face: "bold", size: 13, top: 52, colour: colours.ink });
  const lines = [`ABN ${organisation.abn}`, organisation.address, `${organisation.phone} · ${organisation.email}`];
  for (const line of lines) y = write(sheet, "P", line, { ...right, ...small, top: y + 1, colour: colours.muted });
  sheet.y = Math.max(numberEnd, y) + 18;
}

/** Says in a red field, above everything, that this paper counts no more. */
function writeVoid(sheet: Sheet, { on, replacedBy }: Voided) {
  const successor = replacedBy === null ? "" : `, replaced by ${replacedBy}`;
  const sentence = `Void: refunded on ${formatDay(on)}${successor}`;
  const field = { left: page.left + 18, width: pageWidth - 36 };
  const { top, height } = drawField(sheet, { text: sentence, style: strong, width: field.width }, colours.madder);
  write(sheet, "P", sentence, { ...field, ...strong, top: top + 10, colour: colours.madder });
  sheet.y = top + height + 18;
}

/** VOID across every page; the sentence above says it to screen readers. */
function stampVoid({ document }: Sheet) {
  const size = 190;
  const { count } = document.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    document.switchToPage(index);
    drawArtifact(document, () => {
      document.save().font("bold", size).fillColor(colours.madder, 0.16);
      const left = (page.width - document.widthOfString("VOID")) / 2;
      const middle = page.height / 2;
      document.rotate(-40, { origin: [page.width / 2, middle] });
      document.text("VOID", left, middle + size * 0.36, { lineBreak: false, baseline: "alphabetic" });
      document.restore();
    });
  }
}

/** Draws the tinted field, with a bar on its left, that a sentence stands in. */
function drawField(
  { document, y: top }: Sheet,
  { text, style, width, below = 0 }: { text: string; style: TextStyle; width: number; below?: number },
  bar: string,
): { top: number; height: number } {
  const { lines } = layText(document, text, style, width);
  const height = lineHeight(style) * lines.length + below + 20;
  drawArtifact(document, () => {
    document.rect(page.left, top, pageWidth, height).fill(bar === colours.tile ? colours.tileTint : colours.madderTint);
    document.rect(page.left, top, 4, height).fill(bar);
  });
  return { top, height };
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
  { title, kind, quantity, unitCents, lineCents, refundedCents, onBehalfOf }: ReceiptData["lines"][number],
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
      ...(refundedCents === 0
        ? []
        : [{ ...remark, text: `Refunded: −${formatDollars(refundedCents)}`, colour: colours.muted }]),
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
  sheet.y = y;
  if (data.refunds.length > 0) writeRefunds(sheet, data);
  sheet.y += 16;
}

function writeRefunds(sheet: Sheet, data: ReceiptData) {
  const place = { left: page.left, width: pageWidth - 6, align: "right", colour: colours.ink } as const;
  sheet.y += 6;
  for (const { on, cents } of data.refunds) {
    keepRoom(sheet, 40);
    const sentence = `Refunded on ${formatDay(on)}: −${formatDollars(cents)}`;
    sheet.y = write(sheet, "P", sentence, { ...place, ...text, top: sheet.y });
  }
  const kept = `Kept (${data.currency}): ${formatDollars(keptCents(data))}`;
  sheet.y = write(sheet, "P", kept, { ...place, face: "bold", size: 14, top: sheet.y + 3 });
}

function writeGiftStatement(sheet: Sheet, data: ReceiptData) {
  if (!saysGift(data)) return;
  keepRoom(sheet, 150);
  const { giftStatement } = data.organisation;
  const field = { left: page.left + 18, width: pageWidth - 36, colour: colours.ink };
  const statement = { text: giftStatement, style: text, width: field.width, below: lineHeight(strong) };
  const { top, height } = drawField(sheet, statement, colours.tile);
  const y = write(sheet, "P", giftStatement, { ...field, ...text, top: top + 10 });
  const amount = `Amount of the gift: ${formatDollars(giftCents(data))} ${data.currency}`;
  write(sheet, "P", amount, { ...field, ...strong, top: y });
  sheet.y = top + height + 16;
}

function writeEnd(sheet: Sheet, { organisation }: ReceiptData, voided: Voided | null) {
  keepRoom(sheet, 50);
  const place = { left: page.left, width: pageWidth };
  const last =
    voided === null
      ? "Thank you for your kindness. Please keep this receipt for your records."
      : "This receipt is void. Please do not use it for tax.";
  const y = write(sheet, "P", last, { ...place, ...text, top: sheet.y, colour: colours.ink });
  const contact = `Questions about this receipt? Call ${organisation.phone} or write to ${organisation.email}.`;
  sheet.y = write(sheet, "P", contact, { ...place, ...small, top: y + 2, colour: colours.muted });
}

function keepRoom(sheet: Sheet, points: number) {
  if (sheet.y + points > page.bottom) addPage(sheet);
}
