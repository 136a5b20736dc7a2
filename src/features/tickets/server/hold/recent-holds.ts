import { type RawBuilder, sql } from "kysely";
import { LRUCache } from "lru-cache";
import { undecidedStates } from "#payments/states.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { eventIdOf } from "#shared/events/find-event.ts";
import { readDocumentKey } from "#shared/links/document-links.ts";
import type { HoldFacts } from "../../hold-rules.ts";

// Who holds seats of an event, and which earlier holds were paid or lapsed.

const HOUR_MS = 3_600_000;

export const hourBefore = (at: Date) => new Date(at.getTime() - HOUR_MS);

type SeatHolder = {
  readonly eventId: number | RawBuilder<number>;
  /** Null for a hold that does not count for its address. */
  readonly network: string | null;
  readonly browser: string | undefined;
};

/** Makes holds for an event run one at a time for each network address and each browser. */
export async function lockHolder(transaction: Connection, { eventId, network, browser }: SeatHolder): Promise<void> {
  await sql`select lock_holder(${eventId}, ${network}, ${browser ?? null})`.execute(transaction);
}

export type EarlierLine = { readonly orderId: string; readonly typeId: number; readonly quantity: number };
export type SeenHolds = Pick<HoldFacts, "unpaidSeatMs" | "liveSeats" | "paidSeats"> & {
  /** Those of the browser's earlier hold for the event and of the one in `instead`, unless it is being paid for. */
  readonly earlier: readonly EarlierLine[];
  /** The number of their orders, for `hold_seats`: as long as it is the same, none of the above has changed. */
  readonly known: number;
};

type Asking = SeatHolder & {
  readonly at: Date;
  readonly instead: { readonly id: string; readonly key: string } | undefined;
};

/** What became of the last hour's holds of one network address, and what the new hold replaces. */
export async function seeHolds(
  connection: Connection,
  { secretKey }: { readonly secretKey: string },
  { eventId, network, browser, at, instead }: Asking,
): Promise<SeenHolds> {
  const isNamed = instead && readDocumentKey(secretKey, { kind: "ticket_order", id: instead.id }, instead.key) !== null;
  const named = isNamed ? instead.id : null;
  const { rows } = await sql<{ seen: SeenHolds }>`
    select see_holds(${eventId}, ${network}, ${browser ?? null}, ${named}, ${undecidedStates}::text[], ${hourBefore(at)},
      ${at}) as seen`.execute(connection);
  return rows[0]!.seen;
}

type EventTotals = Pick<HoldFacts, "eventLapsedSeatMs" | "eventPaidSeats">;

const KEPT_MS = 2000;
const kept = new WeakMap<Database, LRUCache<string, { readonly at: Date; readonly totals: EventTotals }>>();

/** Totals of the last hour's holds for a whole event. At most two seconds old, because there may be thousands. */
export async function countEventHolds(
  { database }: { readonly database: Database },
  connection: Connection,
  { event, at }: { readonly event: string; readonly at: Date },
): Promise<EventTotals> {
  const events = kept.get(database) ?? new LRUCache({ max: 100 });
  kept.set(database, events);
  const last = events.get(event);
  if (last !== undefined && at >= last.at && at.getTime() - last.at.getTime() < KEPT_MS) return last.totals;
  const seatMs = sql`quantity * extract(epoch from hold_until - created_at) * 1000`;
  const isOver = sql`(state = 'lapsed' or (state = 'held' and hold_until <= ${at}))`;
  const { rows } = await sql<EventTotals>`
    select coalesce(sum(${seatMs}) filter (where ${isOver}), 0)::float8 as "eventLapsedSeatMs",
           coalesce(sum(quantity) filter (where state = 'paid'), 0)::float8 as "eventPaidSeats"
      from ticket_orders join ticket_order_lines on order_id = id
     where event_id = ${eventIdOf(event)} and created_at > ${hourBefore(at)}`.execute(connection);
  events.set(event, { at, totals: rows[0]! });
  return rows[0]!;
}
