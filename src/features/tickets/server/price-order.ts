import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { formatList, plural } from "#shared/language.ts";
import { appliesTo, type Discount, discountLines } from "../discounts.ts";
import type { TicketTypeRow } from "./seats.ts";

export type DiscountCodeRow = Selectable<Tables["discount_codes"]>;

/** A discount code of an event, as it is tidied; undefined if there is none. */
export function findDiscountCode(
  connection: Connection,
  eventId: number | RawBuilder<number>,
  code: string,
): Promise<DiscountCodeRow | undefined> {
  return connection
    .selectFrom("discount_codes")
    .selectAll()
    .where("event_id", "=", eventId)
    .where("code", "=", code)
    .executeTakeFirst();
}

/** Why a code cannot be used now; null if it can, as far as its uses go. */
function findCodeFault(code: DiscountCodeRow | undefined, now: Date): string | null {
  if (code === undefined) return "We don’t know this code for this event. Check how it is spelt.";
  const { ended_at, valid_from, valid_until } = code;
  if (ended_at !== null || (valid_until !== null && now >= valid_until)) return "This code has ended.";
  if (valid_from !== null && now < valid_from) return "This code cannot be used yet.";
  return null;
}

/** Why a code with too few uses left was not applied to an order, and what the buyer can do. */
export function describeUsesLeft(left: number, lines: readonly PricedLine[]): string {
  if (left === 0) return "This code has been used as often as it can be.";
  const wanted = lines.reduce((sum, { discounted }) => sum + discounted, 0);
  return plural(left, {
    one: `This code works for only 1 more ticket, and your order would use it for ${wanted}. It was not applied. Take fewer tickets, or go on without the code.`,
    other: `This code works for only ${left} more tickets, and your order would use it for ${wanted}. It was not applied. Take fewer tickets, or go on without the code.`,
  });
}

const toDiscount = ({ percent, cents, type_ids, most_per_order }: DiscountCodeRow): Discount => ({
  percent,
  cents,
  typeIds: type_ids,
  maxPerOrder: most_per_order,
});

export type PricedLine = {
  readonly type_id: number;
  readonly code: string;
  readonly title: string;
  readonly price_cents: number;
  readonly quantity: number;
  readonly discounted: number;
  readonly discount_cents: number;
};

type Wanted = readonly { readonly type: TicketTypeRow; readonly quantity: number }[];
type Priced = { readonly lines: readonly PricedLine[]; readonly totalCents: number };

type CodeUse = {
  readonly wanted: Wanted;
  /** The types that the buyer can choose; others are not named. */
  readonly offered: readonly TicketTypeRow[];
  readonly now: Date;
};

/** The lines at the prices that a code leaves, or why the code cannot be used. */
export function priceWithCode(code: DiscountCodeRow | undefined, { wanted, offered, now }: CodeUse): Priced | string {
  const fault = findCodeFault(code, now);
  if (fault !== null) return fault;
  const discount = toDiscount(code!);
  const priced = priceLines(wanted, discount);
  if (priced.lines.some(({ discounted }) => discounted > 0)) return priced;
  if (wanted.some(({ type }) => appliesTo(discount, type.id)))
    return "This code takes nothing off the tickets you chose.";
  const titles = offered.filter(({ id }) => appliesTo(discount, id)).map(({ title }) => title);
  if (titles.length === 0) return "This code is not for the tickets you chose.";
  return `This code is not for the tickets you chose. It is for ${formatList(titles, "and")}.`;
}

/** The lines of an order at the prices of this moment, and what it comes to. */
export function priceLines(wanted: Wanted, discount: Discount | null): Priced {
  const cheaper = discountLines(
    wanted.map(({ type, quantity }) => ({ typeId: type.id, priceCents: type.price_cents, quantity })),
    discount,
  );
  const lines = wanted.map(({ type: { id: type_id, code, title, price_cents }, quantity }, index) => {
    const { discounted, discountCents: discount_cents } = cheaper[index]!;
    return { type_id, code, title, price_cents, quantity, discounted, discount_cents };
  });
  const totalCents = lines.reduce(
    (sum, { quantity, price_cents, discounted, discount_cents }) =>
      sum + quantity * price_cents - discounted * discount_cents,
    0,
  );
  return { lines, totalCents };
}

/** How many tickets each code of an event makes cheaper now. */
export async function countUses(connection: Connection, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; uses: number }>`
    select id, count_uses(id)::integer as uses from discount_codes where id = any(${ids}::bigint[])`.execute(
    connection,
  );
  return new Map(rows.map(({ id, uses }) => [id, uses]));
}
