import type { DocumentLook } from "#shared/brand/document-look.ts";
import { formatDay, formatDollars, formatList } from "#shared/language.ts";
import {
  addPage,
  colours,
  drawArtifact,
  drawLogo,
  openSheet,
  pageBox,
  pageWidth,
  type Sheet,
  write,
} from "#shared/pdf/sheet.ts";
import type { TextStyle } from "#shared/pdf/text-atoms.ts";
import { layText, lineHeight } from "#shared/pdf/text-lines.ts";
import { deductibleCents, donorOf, hasDeductibleWording, keptCents } from "./donation-sums.ts";
import { type Column, drawTable, type TableRow } from "./pdf-table.ts";
import type { ReceiptData, Voided } from "./receipt.ts";

const small = { face: "regular", size: 9 } as const;
const text = { face: "regular", size: 10 } as const;
const strong = { face: "bold", size: 10 } as const;

type Drawn = {
  readonly data: ReceiptData;
  readonly voided: Voided | null;
  readonly isSpecimen?: boolean;
  readonly look?: DocumentLook;
};

/** Called in a worker by `renderReceipt`. */
export function drawReceipt({ data, voided, isSpecimen = false, look }: Drawn): Promise<Buffer> {
  const { number, issuedAt, organisation } = data;
  const title = `Receipt ${number}${isSpecimen ? " (specimen)" : voided === null ? "" : " (void)"}`;
  const sheet = openSheet({ title, author: organisation.name, madeAt: new Date(issuedAt), look });
  writeHead(sheet, data);
  if (isSpecimen) writeWarning(sheet, "Specimen with invented data: not a receipt");
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
  if (isSpecimen) stamp(sheet, "SPECIMEN", 120);
  if (voided !== null) stamp(sheet, "VOID", 190);
  return sheet.finish(`${organisation.name} · ${title}`);
}

function writeHead(sheet: Sheet, { number, replaces, organisation }: ReceiptData) {
  const left = { left: pageBox.left, width: 190 };
  const titleEnd = write(sheet, "H1", "Receipt", { ...left, face: "bold", size: 28, top: 46, colour: colours.ink });
  const second = { ...left, face: "bold", size: 13, colour: colours.tile } as const;
  let numberEnd = write(sheet, "P", number, { ...second, top: titleEnd - 2 });
  if (replaces !== null) {
    const place = { ...left, ...small, top: numberEnd + 1, colour: colours.muted };
    numberEnd = write(sheet, "P", `Replaces receipt ${replaces}`, place);
  }
  const right = { left: pageBox.left + 210, width: pageWidth - 210, align: "right" } as const;
  const top = drawLogo(sheet, sheet.look, { name: organisation.name, top: 52 });
  let y = write(sheet, "P", organisation.name, { ...right, face: "bold", size: 13, top, colour: colours.ink });
  const lines = [`ABN ${organisation.abn}`, organisation.address, `${organisation.phone} · ${organisation.email}`];
  for (const line of lines) y = write(sheet, "P", line, { ...right, ...small, top: y + 1, colour: colours.muted });
  sheet.y = Math.max(numberEnd, y) + 18;
}

/** Says in a red box at the top that this receipt is void. */
function writeVoid(sheet: Sheet, { on, replacedBy }: Voided) {
  const since = `Void since ${formatDay(on)}`;
  writeWarning(sheet, replacedBy === null ? since : `${since}, replaced by ${replacedBy}`);
}

function writeWarning(sheet: Sheet, sentence: string) {
  const field = { left: pageBox.left + 18, width: pageWidth - 36 };
  const { top, height } = drawField(sheet, { text: sentence, style: strong, width: field.width }, colours.madder);
  write(sheet, "P", sentence, { ...field, ...strong, top: top + 10, colour: colours.madder });
  sheet.y = top + height + 18;
}

/** A word across every page. Screen readers get the sentence from `writeWarning` instead. */
function stamp({ document }: Sheet, word: string, size: number) {
  const { count } = document.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    document.switchToPage(index);
    drawArtifact(document, () => {
      document.save().font("bold", size).fillColor(colours.madder, 0.16);
      const left = (pageBox.width - document.widthOfString(word)) / 2;
      const middle = pageBox.height / 2;
      document.rotate(-40, { origin: [pageBox.width / 2, middle] });
      document.text(word, left, middle + size * 0.36, { lineBreak: false, baseline: "alphabetic" });
      document.restore();
    });
  }
}

/** Draws a tinted box with a bar on its left, sized for a sentence. */
function drawField(
  { document, y: top }: Sheet,
  { text, style, width, below = 0 }: { text: string; style: TextStyle; width: number; below?: number },
  bar: string,
): { top: number; height: number } {
  const { lines } = layText(document, text, style, width);
  const height = lineHeight(style) * lines.length + below + 20;
  drawArtifact(document, () => {
    document
      .rect(pageBox.left, top, pageWidth, height)
      .fill(bar === colours.tile ? colours.tileTint : colours.madderTint);
    document.rect(pageBox.left, top, 4, height).fill(bar);
  });
  return { top, height };
}

function writeDetails(sheet: Sheet, data: ReceiptData) {
  const half = pageWidth / 2 - 12;
  const top = sheet.y;
  const left = { left: pageBox.left, width: half };
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
    data.method === "cc" ? "Payment method: Credit card" : "Payment method: PayPal",
    `Our reference: ${data.reference}`,
    // The fund is for gifts: nothing else is paid into it.
    ...(data.organisation.fund !== "" && hasDeductibleWording(data) ? [`Fund: ${data.organisation.fund}`] : []),
  ];
  let below = top;
  for (const [index, line] of details.entries()) {
    const style = index === 0 ? { ...strong, colour: colours.ink } : { ...small, colour: colours.ink };
    below = write(sheet, "P", line, { ...style, left: pageBox.left + half + 24, width: half, top: below + 1 });
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
): TableRow {
  const ink = { ...text, colour: colours.ink };
  const remark = { ...small, size: 8.5 };
  return [
    [
      { ...strong, text: title, colour: colours.ink },
      ...(onBehalfOf.length === 0
        ? []
        : [{ ...remark, text: `On behalf of: ${formatList(onBehalfOf, "comma")}`, colour: colours.muted }]),
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

/** Keeps the sums together on one page. */
function writeSums(sheet: Sheet, data: ReceiptData) {
  keepRoom(sheet, 130);
  const { subtotalCents, adminFeeCents, merchantFeeCents, totalCents, currency } = data;
  const hasFees = adminFeeCents + merchantFeeCents > 0;
  const sums = [
    ...(hasFees ? [["Donations", subtotalCents] as const] : []),
    ...(adminFeeCents > 0 ? [["Admin fee", adminFeeCents] as const] : []),
    ...(merchantFeeCents > 0 ? [["Merchant fee", merchantFeeCents] as const] : []),
  ];
  const place = { left: pageBox.left, width: pageWidth - 6, align: "right" } as const;
  let y = sheet.y + 10;
  for (const [label, cents] of sums) {
    y = write(sheet, "P", `${label}: ${formatDollars(cents)}`, { ...place, ...text, top: y, colour: colours.ink });
  }
  const total = `Total paid (${currency}): ${formatDollars(totalCents)}`;
  y = write(sheet, "P", total, { ...place, face: "bold", size: 14, top: y + 3, colour: colours.ink });
  if (hasFees) {
    const sentence =
      merchantFeeCents === 0
        ? "The total paid includes the admin fee shown above."
        : adminFeeCents === 0
          ? "The total paid includes the merchant fee shown above."
          : "The total paid includes the admin fee and the merchant fee shown above.";
    y = write(sheet, "P", sentence, { ...place, ...small, top: y + 2, colour: colours.muted });
  }
  sheet.y = y;
  if (data.refunds.length > 0) writeRefunds(sheet, data);
  sheet.y += 16;
}

function writeRefunds(sheet: Sheet, data: ReceiptData) {
  const place = { left: pageBox.left, width: pageWidth - 6, align: "right", colour: colours.ink } as const;
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
  if (!hasDeductibleWording(data)) return;
  keepRoom(sheet, 150);
  const { giftStatement } = data.organisation;
  const field = { left: pageBox.left + 18, width: pageWidth - 36, colour: colours.ink };
  const statement = { text: giftStatement, style: text, width: field.width, below: lineHeight(strong) };
  const { top, height } = drawField(sheet, statement, colours.tile);
  const y = write(sheet, "P", giftStatement, { ...field, ...text, top: top + 10 });
  const amount = `Amount of the gift: ${formatDollars(deductibleCents(data))} ${data.currency}`;
  write(sheet, "P", amount, { ...field, ...strong, top: y });
  sheet.y = top + height + 16;
}

function writeEnd(sheet: Sheet, { organisation }: ReceiptData, voided: Voided | null) {
  keepRoom(sheet, 50);
  const place = { left: pageBox.left, width: pageWidth };
  const last =
    voided === null
      ? "Thank you for your kindness. Please keep this receipt for your records."
      : "This receipt is void. Please do not use it for tax.";
  const y = write(sheet, "P", last, { ...place, ...text, top: sheet.y, colour: colours.ink });
  const contact = `Questions about this receipt? Call ${organisation.phone} or write to ${organisation.email}.`;
  sheet.y = write(sheet, "P", contact, { ...place, ...small, top: y + 2, colour: colours.muted });
}

function keepRoom(sheet: Sheet, points: number) {
  if (sheet.y + points > pageBox.bottom) addPage(sheet);
}
