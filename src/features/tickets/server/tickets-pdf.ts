import { setImmediate as othersTurn } from "node:timers/promises";
import type { EventDetails } from "#shared/events/event.ts";
import { sayInSydney } from "#shared/events/event-clock.ts";
import { sayPlace } from "#shared/events/event-place.ts";
import { sayTimes } from "#shared/events/event-times.ts";
import { formatDollars } from "#shared/money.ts";
import type { Organisation } from "#shared/organisation.ts";
import { drawInTurn } from "#shared/pdf/draw-in-turn.ts";
import { addPage, colours, drawArtifact, openSheet, page, pageWidth, type Sheet, write } from "#shared/pdf/sheet.ts";
import { cleanText, type TextStyle } from "#shared/pdf/text-atoms.ts";
import { layText, lineHeight } from "#shared/pdf/text-lines.ts";
import { drawQrCode } from "./qr-code.ts";

/** An order's tickets as they are printed: those that are valid alone. */
export type TicketPaper = {
  readonly organisation: Organisation;
  readonly event: EventDetails;
  readonly order: { readonly reference: string; readonly paidAt: Date };
  readonly tickets: readonly PaperTicket[];
};

export type PaperTicket = {
  /** 'K7Q2-M9XW'. */
  readonly number: string;
  readonly holder: string;
  readonly typeTitle: string;
  readonly priceCents: number;
  /** What the QR code says. */
  readonly token: string;
};

/** Where something of one ticket is written. */
type Part = Pick<Sheet, "document" | "root">;

/** A text below others, `gap` points under the last. */
type Item = TextStyle & {
  readonly tag: "H1" | "H2" | "P";
  readonly text: string;
  readonly colour: string;
  readonly gap: number;
  readonly maxLines?: number;
};

const padding = 22;
/** Of the QR code with its quiet zone: 167 points are 49 mm of code. */
const codeSize = 167;
/** Long names and titles are set smaller, so that a ticket stays on one page. */
const scales = [1, 0.85, 0.7] as const;

/** The paper of an order's tickets: A4, a page each, tagged for screen readers, the same bytes for the same tickets. */
export function renderTickets(paper: TicketPaper): Promise<Buffer> {
  return drawInTurn(() => drawTickets(paper));
}

async function drawTickets(paper: TicketPaper): Promise<Buffer> {
  const { organisation, event, order, tickets } = paper;
  const title = `${tickets.length === 1 ? "Ticket" : "Tickets"} for ${cleanText(event.title)}`;
  const sheet = openSheet({ title, author: organisation.name, madeAt: order.paidAt });
  for (const [index, ticket] of tickets.entries()) {
    if (index > 0) addPage(sheet);
    drawTicket(sheet, paper, ticket);
    await othersTurn();
  }
  return sheet.finish(`${organisation.name} · Order ${order.reference}`);
}

function drawTicket(sheet: Sheet, paper: TicketPaper, ticket: PaperTicket) {
  const { document } = sheet;
  const part: Part = { document, root: document.struct("Sect") };
  sheet.root.add(part.root);
  const top = writeHead(part, paper, ticket) + 20;
  const advice = adviceItems(paper, ticket);
  const below = heightOf(part, advice, pageWidth) + 82;
  const cards = scales.map((scale) => layCard(part, paper, ticket, { top, scale }));
  const card = cards.find(({ bottom }) => bottom + below <= page.bottom + 8) ?? cards.at(-1)!;
  drawCard(part, card, ticket);
  const y = writeItems(part, advice, { left: page.left, width: pageWidth, top: card.bottom + 22 });
  const paidOn = sydneyDay.format(paper.order.paidAt);
  writeNotice(part, `This is a ticket, not a tax-deductible gift receipt. Paid on ${paidOn}.`, y + 18);
  part.root.end();
}

function writeHead(part: Part, { organisation }: TicketPaper, { number }: PaperTicket): number {
  const left = { left: page.left, width: 190 };
  const titleEnd = write(part, "H1", "Ticket", { ...left, face: "bold", size: 28, top: 46, colour: colours.ink });
  const second = { ...left, face: "bold", size: 13, top: titleEnd - 2, colour: colours.tile } as const;
  const numberEnd = write(part, "P", number, second);
  const right = { left: page.left + 210, width: pageWidth - 210, align: "right" } as const;
  const name = { ...right, face: "bold", size: 13, top: 52, colour: colours.ink, maxLines: 2 } as const;
  let y = write(part, "P", organisation.name, name);
  for (const line of [organisation.address, `${organisation.phone} · ${organisation.email}`]) {
    y = write(part, "P", line, { ...right, face: "regular", size: 9, top: y + 1, colour: colours.muted, maxLines: 1 });
  }
  return Math.max(numberEnd, y);
}

/** A ticket's card before it is drawn: what and when on indigo above the fold, who and the code below it. */
type Card = {
  readonly about: readonly Item[];
  readonly holder: readonly Item[];
  readonly top: number;
  readonly fold: number;
  readonly bottom: number;
};

const aboutPlace = { left: page.left + padding, width: pageWidth - 2 * padding };
const holderPlace = { left: aboutPlace.left, width: aboutPlace.width - codeSize - 10 };

function layCard(
  part: Part,
  paper: TicketPaper,
  ticket: PaperTicket,
  { top, scale }: { top: number; scale: number },
): Card {
  const about = eventItems(paper.event).map((item) => scaled(item, scale));
  const holder = holderItems(paper, ticket).map((item) => scaled(item, scale));
  const fold = top + heightOf(part, about, aboutPlace.width) + 2 * padding;
  const bottom = fold + Math.max(heightOf(part, holder, holderPlace.width) + 2 * padding, codeSize + 40);
  return { about, holder, top, fold, bottom };
}

const scaled = (item: Item, scale: number): Item => ({
  ...item,
  size: Math.min(item.size, Math.max(8, item.size * scale)),
  gap: item.gap * scale,
});

function drawCard(part: Part, card: Card, { token, number }: PaperTicket) {
  drawTornCard(part, card);
  writeItems(part, card.about, { ...aboutPlace, top: card.top + padding });
  writeItems(part, card.holder, { ...holderPlace, top: card.fold + padding });
  const code = { left: page.right - codeSize - 12, top: card.fold + 6, size: codeSize };
  drawQrCode(part, token, { ...code, colour: colours.ink, alternative: `QR code of ticket ${number}` });
  const style = { face: "bold", size: 17, colour: colours.ink } as const;
  const { width = 0 } = layText(part.document, number, style, codeSize).lines[0] ?? {};
  const left = code.left + (codeSize - width) / 2;
  write(part, "P", number, { ...style, left, width: codeSize, top: code.top + codeSize - 4 });
}

function eventItems(event: EventDetails): Item[] {
  const facts = [
    ["When", sayTimes(event)],
    ["Sydney time", sayInSydney(event) ?? ""],
    ["Where", sayPlace(event)],
  ] as const;
  return [
    { tag: "H2", text: event.title, face: "bold", size: 22, colour: colours.lime, gap: 0, maxLines: 4 },
    ...facts.flatMap(([label, text]) => (text === "" ? [] : labelled(label, text, onIndigo))),
  ];
}

function holderItems({ order }: TicketPaper, { holder, typeTitle, priceCents }: PaperTicket): Item[] {
  return [
    ...labelled("Ticket holder", holder, { ...onWhite, size: 16, maxLines: 6, gap: 0 }),
    ...labelled("Ticket", typeTitle, { ...onWhite, maxLines: 3 }),
    ...labelled("Price paid", `${formatDollars(priceCents)} AUD`, onWhite),
    ...labelled("Order", order.reference, onWhite),
  ];
}

type Tone = { label: string; colour: string; size: number; gap: number; maxLines: number };
const onIndigo: Tone = { label: colours.marigold, colour: colours.lime, size: 11.5, gap: 9, maxLines: 4 };
const onWhite: Tone = { label: colours.muted, colour: colours.ink, size: 12, gap: 9, maxLines: 3 };

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

/** A card with round corners, notched where the indigo ends, as tickets are that somebody tears. */
function drawTornCard({ document }: Part, { top, fold, bottom }: Card) {
  const card = [page.left, top, pageWidth, bottom - top, 10] as const;
  drawArtifact(document, () => {
    document
      .save()
      .roundedRect(...card)
      .clip();
    document.rect(page.left, top, pageWidth, fold - top).fill(colours.ink);
    document.rect(page.left, top, pageWidth, 4).fill(colours.madderBright);
    document.restore();
    document
      .lineWidth(1)
      .strokeColor(colours.line)
      .roundedRect(...card)
      .stroke();
    for (const x of [page.left, page.right]) document.circle(x, fold, 9).fill("#FFFFFF");
    document.save().rect(page.left, fold, pageWidth, 12).clip();
    for (const x of [page.left, page.right]) document.circle(x, fold, 9).stroke();
    document.restore();
    document.save().dash(3, { space: 4 });
    document
      .moveTo(page.left + 14, fold)
      .lineTo(page.right - 14, fold)
      .stroke(colours.muted)
      .undash()
      .restore();
  });
}

/** What to do with a ticket, and whom to ask. */
function adviceItems({ organisation, event, order }: TicketPaper, { number }: PaperTicket): Item[] {
  const { phone, email } = organisation;
  const hasDoor = !event.isOnline || event.place !== "";
  const sentences = [
    ...(hasDoor ? [atTheDoor] : []),
    ...(event.isOnline ? [online] : []),
    `Questions? Call ${phone} or write to ${email}, and name ticket ${number} or order ${order.reference}.`,
  ];
  return [
    { tag: "H2", text: "On the day", face: "bold", size: 13, colour: colours.ink, gap: 0 },
    ...sentences.map((text): Item => ({ tag: "P", text, face: "regular", size: 10, colour: colours.ink, gap: 5 })),
  ];
}

const atTheDoor =
  "At the door: show the code above, on this paper or on your phone. It lets one person in, once. Please keep it to yourself: it lets in whoever shows it first.";
const online = "Online: the access details come from the organiser. Please keep your ticket number at hand.";

const sydneyDay = new Intl.DateTimeFormat("en-AU", { dateStyle: "long", timeZone: "Australia/Sydney" });

/** Says in a tinted field what this paper is not, so that nobody sends it to the tax office. */
function writeNotice(part: Part, sentence: string, top: number) {
  const style = { face: "regular", size: 10 } as const;
  const field = { left: page.left + 18, width: pageWidth - 36 };
  const { lines } = layText(part.document, sentence, style, field.width);
  const height = lines.length * lineHeight(style) + 18;
  drawArtifact(part.document, () => {
    part.document.rect(page.left, top, pageWidth, height).fill(colours.tileTint);
    part.document.rect(page.left, top, 4, height).fill(colours.tile);
  });
  write(part, "P", sentence, { ...field, ...style, top: top + 9, colour: colours.ink });
}
