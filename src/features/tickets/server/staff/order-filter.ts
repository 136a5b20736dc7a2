import { type RawBuilder, sql } from "kysely";
import { readReference } from "#payments/reference.ts";
import { base32Digits, readBase32 } from "#shared/base32.ts";

/** The states by which staff filter orders. */
export const orderStates = {
  paid: "Paid",
  partly: "Partly cancelled",
  cancelled: "Cancelled",
  "called-off": "Event called off",
  refunded: "Refunded, no seats left",
  unpaid: "Not paid",
} as const;
type OrderFilterState = keyof typeof orderStates;
export const isOrderState = (text: string): text is OrderFilterState => Object.hasOwn(orderStates, text);

export type OrderFilter = {
  /** Search words: a reference, a ticket's number, a provider's id, or parts of the buyer's name or email. */
  readonly q: string;
  readonly eventId: number | null;
  readonly state: OrderFilterState | null;
  readonly from: Date | null;
  readonly until: Date | null;
};

const everyState = { unpaid: ["held", "lapsed"], paid: ["paid"], partly: ["paid"] } as const;

/** Conditions on an order `o`. Orders whose buyer never sent a payment are not listed. */
export function whereOrders({ q, eventId, state, from, until }: OrderFilter): RawBuilder<boolean> {
  const conditions = [
    sql`o.email is not null`,
    ...(q.trim() === "" ? [] : [isSought(q.trim())]),
    ...(eventId === null ? [] : [sql`o.event_id = ${eventId}`]),
    ...(state === null ? [] : [isIn(state)]),
    ...(from === null ? [] : [sql`o.created_at >= ${from}::timestamptz`]),
    ...(until === null ? [] : [sql`o.created_at < ${until}::timestamptz`]),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

function isIn(state: OrderFilterState): RawBuilder<boolean> {
  if (state === "called-off") return sql<boolean>`o.called_off_at is not null`;
  const states = state in everyState ? everyState[state as keyof typeof everyState] : [state];
  const hasCancelled = sql`exists (select from tickets where order_id = o.id and cancelled_at is not null)`;
  return sql<boolean>`o.called_off_at is null and o.state in (${sql.join(states)}) and ${
    state === "partly" ? hasCancelled : state === "paid" ? sql`not ${hasCancelled}` : sql`true`
  }`;
}

/** Each meaning of the words finds its ids by an index of its own. */
function isSought(q: string): RawBuilder<boolean> {
  const reference = readReference(q, "T");
  if (reference !== null) return sql<boolean>`o.reference = ${reference}`;
  const payment = readReference(q, "P", "R");
  if (payment !== null) return isOneOf(ofPayment(sql`order_reference = ${payment}`));
  const serial = readTicketNumber(q);
  return isOneOf(
    sql`select id from ticket_orders
         where email <> '' and search_words(fold_text(first_name || ' ' || last_name || ' ' || email))
               @@ words_that_begin(${q})`,
    ...(serial === null
      ? []
      : [sql`select order_id from tickets where serial >= ${serial.from} and serial <= ${serial.to}`]),
    ...(/^(?=.*\d)[\w-]{5,64}$/.test(q) ? [ofPayment(sql`provider_transaction_id = ${q}`)] : []),
  );
}

const isOneOf = (...ids: RawBuilder<unknown>[]) => sql<boolean>`o.id in (${sql.join(ids, sql` union `)})`;

/** The orders of a payment or refund. */
const ofPayment = (is: RawBuilder<unknown>) => sql`
  select ticket_order_id from payment_attempts where ticket_order_id is not null and ${is}
  union select ticket_order_id from payment_attempts
         where ticket_order_id is not null and id in (select attempt_id from refunds where ${is})`;

/** The serials of tickets with this number, K7Q2-M9XW: its 40 bits are the first of a serial's 64. */
export function readTicketNumber(typed: string): { readonly from: Buffer; readonly to: Buffer } | null {
  if (!/^[0-9A-Z]{4}-?[0-9A-Z]{4}$/i.test(typed.trim())) return null;
  const values = [...readBase32(typed)].map((digit) => base32Digits.indexOf(digit));
  if (values.includes(-1)) return null;
  const bits = values.reduce((sum, value) => sum * 32n + BigInt(value), 0n);
  const first = Buffer.from(bits.toString(16).padStart(10, "0"), "hex");
  return {
    from: Buffer.concat([first, Buffer.alloc(3, 0)]),
    to: Buffer.concat([first, Buffer.alloc(3, 0xff)]),
  };
}
