import { type DocumentLook, deliveredLook } from "#shared/brand/document-look.ts";
import { type EventDetails, formatPlace } from "#shared/events/event.ts";
import { formatInSydney } from "#shared/events/event-clock.ts";
import { formatTimes } from "#shared/events/event-times.ts";
import { dayInSydney, formatDay, formatDollars, plural } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
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
import { cleanText, type TextStyle } from "#shared/pdf/text-atoms.ts";
import { layText, lineHeight } from "#shared/pdf/text-lines.ts";
import { drawQrCode } from "./qr-code.ts";

/** What the PDF shows: the valid tickets of an order. */
export type TicketDocument = {
  readonly look?: DocumentLook | undefined;
  readonly organisation: Organisation;
  readonly event: EventDetails;
  readonly order: {
    readonly reference: string;
    readonly paidAt: Date;
    /** What staff took in person for all tickets of the order, of which the cancelled ones are not shown. */
    readonly taken?: { readonly cents: number; readonly tickets: number } | undefined;
  };
  readonly tickets: readonly PrintedTicket[];
};

export type PrintedTicket = {
  /** 'K7Q2-M9XW'. */
  readonly number: string;
  readonly holder: string;
  readonly typeTitle: string;
  readonly priceCents: number;
  /** The text of the QR code. */
  readonly token: string;
};

type Part = Pick<Sheet, "document" | "root">;

/** A text, `gap` points below the one before. */
type Item = TextStyle & {
  readonly tag: "H1" | "H2" | "P";
  readonly text: string;
  readonly colour: string;
  readonly gap: number;
  readonly maxLines?: number;
};

const padding = 22;
/** In points, with the quiet zone: the code itself is 49 mm wide. */
const codeSize = 167;
/** Long names and titles shrink, so that a ticket fits on one page. */
const scales = [1, 0.85, 0.7] as const;

/** Called in a worker by `renderTickets`. */
export function drawTickets(content: TicketDocument): Promise<Buffer> {
  const { organisation, event, order, tickets, look } = content;
  const name = cleanText(event.title);
  const title = plural(tickets.length, { one: `Ticket for ${name}`, other: `Tickets for ${name}` });
  const sheet = openSheet({ title, author: organisation.name, madeAt: order.paidAt, look });
  for (const [index, ticket] of tickets.entries()) {
    if (index > 0) addPage(sheet);
    drawTicket(sheet, content, ticket);
  }
  return sheet.finish(`${organisation.name} · Order ${order.reference}`);
}

function drawTicket(sheet: Sheet, content: TicketDocument, ticket: PrintedTicket) {
  const { document } = sheet;
  const part: Part = { document, root: document.struct("Sect") };
  sheet.root.add(part.root);
  const top = writeHead(part, content, ticket) + 20;
  const advice = adviceItems(content, ticket);
  const below = heightOf(part, advice, pageWidth) + 82;
  const card = layLargestCard(part, content, ticket, { top, bottom: pageBox.bottom + 8 - below });
  drawCard(part, card, ticket, content.look);
  const y = writeItems(part, advice, { left: pageBox.left, width: pageWidth, top: card.bottom + 22 });
  writeNotice(part, noticeOf(content, ticket), y + 18);
  part.root.end();
}

function writeHead(
  part: Part,
  { organisation, look = deliveredLook }: TicketDocument,
  { number }: PrintedTicket,
): number {
  const left = { left: pageBox.left, width: 190 };
  const titleEnd = write(part, "H1", "Ticket", { ...left, face: "bold", size: 28, top: 46, colour: colours.ink });
  const second = { ...left, face: "bold", size: 13, top: titleEnd - 2, colour: colours.tile } as const;
  const numberEnd = write(part, "P", number, second);
  const right = { left: pageBox.left + 210, width: pageWidth - 210, align: "right" } as const;
  const top = drawLogo(part, look, { name: organisation.name, top: 52 });
  const name = { ...right, face: "bold", size: 13, top, colour: colours.ink, maxLines: 2 } as const;
  let y = write(part, "P", organisation.name, name);
  for (const line of [organisation.address, `${organisation.phone} · ${organisation.email}`]) {
    y = write(part, "P", line, { ...right, face: "regular", size: 9, top: y + 1, colour: colours.muted, maxLines: 1 });
  }
  return Math.max(numberEnd, y);
}

/** The layout of a ticket's card: the event on indigo above the fold, the holder and the code below. */
type Card = {
  readonly about: readonly Item[];
  readonly holder: readonly Item[];
  readonly top: number;
  readonly fold: number;
  readonly bottom: number;
};

/** The largest that ends above `bottom`, or the smallest. */
function layLargestCard(
  part: Part,
  content: TicketDocument,
  ticket: PrintedTicket,
  { top, bottom }: { top: number; bottom: number },
): Card {
  const [first, ...smaller] = scales;
  let card = layCard(part, content, ticket, { top, scale: first });
  for (const scale of smaller) {
    if (card.bottom <= bottom) break;
    card = layCard(part, content, ticket, { top, scale });
  }
  return card;
}

const aboutPlace = { left: pageBox.left + padding, width: pageWidth - 2 * padding };
const holderPlace = { left: aboutPlace.left, width: aboutPlace.width - codeSize - 10 };

function layCard(
  part: Part,
  content: TicketDocument,
  ticket: PrintedTicket,
  { top, scale }: { top: number; scale: number },
): Card {
  const about = eventItems(content.event).map((item) => scaled(item, scale));
  const holder = holderItems(content, ticket).map((item) => scaled(item, scale));
  const fold = top + heightOf(part, about, aboutPlace.width) + 2 * padding;
  const bottom = fold + Math.max(heightOf(part, holder, holderPlace.width) + 2 * padding, codeSize + 40);
  return { about, holder, top, fold, bottom };
}

const scaled = (item: Item, scale: number): Item => ({
  ...item,
  size: Math.min(item.size, Math.max(8, item.size * scale)),
  gap: item.gap * scale,
});

function drawCard(part: Part, card: Card, { token, number }: PrintedTicket, look?: DocumentLook) {
  drawTornCard(part, card, look);
  writeItems(part, card.about, { ...aboutPlace, top: card.top + padding });
  writeItems(part, card.holder, { ...holderPlace, top: card.fold + padding });
  const code = { left: pageBox.right - codeSize - 12, top: card.fold + 6, size: codeSize };
  drawQrCode(part, token, { ...code, colour: colours.ink, alternative: `QR code of ticket ${number}` });
  const style = { face: "bold", size: 17, colour: colours.ink } as const;
  const { width = 0 } = layText(part.document, number, style, codeSize).lines[0] ?? {};
  const left = code.left + (codeSize - width) / 2;
  write(part, "P", number, { ...style, left, width: codeSize, top: code.top + codeSize - 4 });
}

function eventItems(event: EventDetails): Item[] {
  const facts = [
    ["When", formatTimes(event)],
    ["Sydney time", formatInSydney(event) ?? ""],
    ["Where", formatPlace(event)],
  ] as const;
  return [
    { tag: "H2", text: event.title, face: "bold", size: 22, colour: colours.lime, gap: 0, maxLines: 4 },
    ...facts.flatMap(([label, text]) => (text === "" ? [] : labelled(label, text, onGround()))),
  ];
}

function holderItems({ order }: TicketDocument, { holder, typeTitle, priceCents }: PrintedTicket): Item[] {
  return [
    ...labelled("Ticket holder", holder, { ...onWhite(), size: 16, maxLines: 6, gap: 0 }),
    ...labelled("Ticket", typeTitle, { ...onWhite(), maxLines: 3 }),
    ...labelled(...describePrice(order, priceCents), onWhite()),
    ...labelled("Order", order.reference, onWhite()),
  ];
}

/** What staff took in person is known for the whole order only. */
function describePrice({ taken }: TicketDocument["order"], priceCents: number): readonly [label: string, text: string] {
  if (taken === undefined) {
    return priceCents === 0 ? ["Price", "Free"] : ["Price paid", `${formatDollars(priceCents)} AUD`];
  }
  const amount = `${formatDollars(taken.cents)} AUD`;
  return [
    "Paid in person",
    plural(taken.tickets, { one: amount, other: `${amount} for all ${taken.tickets} tickets of the order` }),
  ];
}

type Tone = { label: string; colour: string; size: number; gap: number; maxLines: number };
/** Functions, because colours are those of the document being drawn. */
const onGround = (): Tone => ({ label: colours.marigold, colour: colours.lime, size: 11.5, gap: 9, maxLines: 4 });
const onWhite = (): Tone => ({ label: colours.muted, colour: colours.ink, size: 12, gap: 9, maxLines: 3 });

function labelled(label: string, text: string, { label: labelColour, colour, size, gap, maxLines }: Tone): Item[] {
  return [
    { tag: "P", text: label, face: "regular", size: 9, colour: labelColour, gap },
    { tag: "P", text, face: "bold", size, colour, gap: 0, maxLines },
  ];
}

function heightOf({ document }: Part, items: readonly Item[], width: number): number {
  return items.reduce((sum, { text, gap, maxLines, ...style }) => {
    const { lines } = layText(document, text, style, width, maxLines);
    return sum + gap + lines.length * lineHeight(style);
  }, 0);
}

function writeItems(
  part: Part,
  items: readonly Item[],
  { top, ...place }: { left: number; top: number; width: number },
): number {
  let y = top;
  for (const { tag, text, gap, ...style } of items) y = write(part, tag, text, { ...style, ...place, top: y + gap });
  return y;
}

function drawTornCard({ document }: Part, { top, fold, bottom }: Card, { isPlain } = deliveredLook) {
  const card = [pageBox.left, top, pageWidth, bottom - top, 10] as const;
  drawArtifact(document, () => {
    document
      .save()
      .roundedRect(...card)
      .clip();
    document.rect(pageBox.left, top, pageWidth, fold - top).fill(colours.ground);
    if (!isPlain) document.rect(pageBox.left, top, pageWidth, 4).fill(colours.secondBright);
    document.restore();
    document
      .lineWidth(1)
      .strokeColor(colours.line)
      .roundedRect(...card)
      .stroke();
    for (const x of [pageBox.left, pageBox.right]) document.circle(x, fold, 9).fill("#FFFFFF");
    document.save().rect(pageBox.left, fold, pageWidth, 12).clip();
    for (const x of [pageBox.left, pageBox.right]) document.circle(x, fold, 9).stroke();
    document.restore();
    document.save().dash(3, { space: 4 });
    document
      .moveTo(pageBox.left + 14, fold)
      .lineTo(pageBox.right - 14, fold)
      .stroke(colours.muted)
      .undash()
      .restore();
  });
}

function adviceItems({ organisation, event, order }: TicketDocument, { number }: PrintedTicket): Item[] {
  const { phone, email } = organisation;
  const hasDoor = !event.isOnline || event.place !== "";
  const sentences = [
    ...(hasDoor ? [atTheDoor] : []),
    ...(event.isOnline ? [online] : []),
    `Questions? Call ${phone} or email ${email} and quote ticket ${number} or order ${order.reference}.`,
  ];
  return [
    { tag: "H2", text: "On the day", face: "bold", size: 13, colour: colours.ink, gap: 0 },
    ...sentences.map((text): Item => ({ tag: "P", text, face: "regular", size: 10, colour: colours.ink, gap: 5 })),
  ];
}

const atTheDoor =
  "At the door: show the code above, on paper or on your phone. It admits one person, once. Please keep it to yourself: the first person to show it gets in.";
const online = "Online: the access details come from the organiser. Please have your ticket number ready.";

function noticeOf({ order }: TicketDocument, { priceCents }: PrintedTicket): string {
  const notice = "This is a ticket, not a tax-deductible gift receipt.";
  const isFree = priceCents === 0 && order.taken === undefined;
  return isFree ? notice : `${notice} Paid on ${formatDay(dayInSydney(order.paidAt))}.`;
}

/** Draws a tinted notice that this is not a receipt, so that nobody sends it to the tax office. */
function writeNotice(part: Part, sentence: string, top: number) {
  const style = { face: "regular", size: 10 } as const;
  const field = { left: pageBox.left + 18, width: pageWidth - 36 };
  const { lines } = layText(part.document, sentence, style, field.width);
  const height = lines.length * lineHeight(style) + 18;
  drawArtifact(part.document, () => {
    part.document.rect(pageBox.left, top, pageWidth, height).fill(colours.tileTint);
    part.document.rect(pageBox.left, top, 4, height).fill(colours.tile);
  });
  write(part, "P", sentence, { ...field, ...style, top: top + 9, colour: colours.ink });
}
