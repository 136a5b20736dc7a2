import { sql } from "kysely";
import { undecidedStates } from "#payments/states.ts";
import type { Connection } from "#shared/database/connect.ts";
import { together } from "#shared/database/transact.ts";
import { readDocumentKey } from "#shared/links/document-links.ts";
import type { HoldFacts } from "../hold-rules.ts";

// Who holds seats of an event, and which earlier holds were paid or lapsed.

const HOUR_MS = 3_600_000;

type HolderOfEvent = { readonly eventId: number; readonly network: string; readonly browser: string | undefined };

/** Makes holds for an event run one at a time for each network address and each browser. */
export async function lockHolder(transaction: Connection, { eventId, network, browser }: HolderOfEvent): Promise<void> {
  // Always in this order, to avoid deadlocks.
  const keys = [`hold ${eventId} network ${network}`, ...(browser === undefined ? [] : [`hold ${eventId} ${browser}`])];
  const locks = keys.map((key) => sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction));
  await together(...locks);
}

type Replacing = Pick<HolderOfEvent, "eventId" | "browser"> & {
  readonly instead: { readonly id: string; readonly key: string } | undefined;
};

/** The lines of the browser's earlier hold for the event and of the one in `instead`, unless it is being paid for. */
export async function listEarlierLines(
  transaction: Connection,
  { secretKey }: { readonly secretKey: string },
  { eventId, browser, instead }: Replacing,
) {
  const isNamed = instead && readDocumentKey(secretKey, { kind: "ticket_order", id: instead.id }, instead.key) !== null;
  const named = isNamed ? instead.id : null;
  return transaction
    .selectFrom("ticket_orders")
    .innerJoin("ticket_order_lines", "order_id", "id")
    .select(["order_id", "type_id", "quantity"])
    .where("event_id", "=", eventId)
    .where("state", "=", sql.lit("held"))
    .where((where) => where.or([where("browser_id", "=", browser ?? null), where("id", "=", named)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("payment_attempts")
            .select("payment_attempts.id")
            .whereRef("ticket_order_id", "=", "ticket_orders.id")
            .where("payment_attempts.state", "in", undecidedStates),
        ),
      ),
    )
    .execute();
}
export type EarlierLine = Awaited<ReturnType<typeof listEarlierLines>>[number];

/** Totals of the last hour's holds: for one network address, and for the whole event. */
export async function countHolds(
  transaction: Connection,
  { eventId, network, at }: Pick<HolderOfEvent, "eventId" | "network"> & { readonly at: Date },
): Promise<Omit<HoldFacts, "wanted" | "capacity" | "sold" | "held">> {
  const isOurs = sql`network_hash = ${network}`;
  const seatMs = sql`quantity * extract(epoch from hold_until - created_at) * 1000`;
  const isOver = sql`(state = 'lapsed' or (state = 'held' and hold_until <= ${at}))`;
  const sumIf = (what: unknown, when: unknown) => sql`coalesce(sum(${what}) filter (where ${when}), 0)::float8`;
  const { rows } = await sql<Omit<HoldFacts, "wanted" | "capacity" | "sold" | "held">>`
    select ${sumIf(seatMs, sql`${isOurs} and state in ('held', 'lapsed')`)} as "unpaidSeatMs",
           ${sumIf(sql`quantity`, sql`${isOurs} and state = 'held' and hold_until > ${at}`)} as "liveSeats",
           ${sumIf(sql`quantity`, sql`${isOurs} and state = 'paid'`)} as "paidSeats",
           ${sumIf(seatMs, isOver)} as "eventLapsedSeatMs",
           ${sumIf(sql`quantity`, sql`state = 'paid'`)} as "eventPaidSeats"
      from ticket_orders join ticket_order_lines on order_id = id
     where event_id = ${eventId} and created_at > ${new Date(at.getTime() - HOUR_MS)}`.execute(transaction);
  return rows[0]!;
}
