import type { Insertable } from "kysely";
import { dinnerTickets, makeTicketEvent } from "#database/ticket-factories.ts";
import type { Database } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { createNonce, type TypedCard } from "#simulators/control.ts";
import { newKey, type TestSite, type Visitor } from "./site.ts";

type TypeChanges = Partial<Insertable<Tables["ticket_types"]>>;
type EventChanges = { readonly vip?: TypeChanges; readonly standard?: TypeChanges; readonly startsAt?: Date };

/** Writes an event in a hundred days with VIP and Standard Seats, with any changes. */
export async function makeTicketedEvent(
  database: Database,
  { vip, standard, startsAt = new Date(Date.now() + 100 * 86_400_000) }: EventChanges = {},
): Promise<{ id: number; slug: string }> {
  const { eventId, slug } = await makeTicketEvent(database, {
    event: { starts_at: startsAt, ends_at: new Date(startsAt.getTime() + 3 * 3_600_000) },
    types: [
      { ...dinnerTickets[0], ...vip },
      { ...dinnerTickets[1], ...standard },
    ],
  });
  return { id: eventId, slug };
}

type Lines = readonly { type: string; quantity: number }[];
export type HeldOrder = { id: string; key: string; total: number };
type Paying = {
  card?: TypedCard;
  token?: string;
  payPal?: boolean;
  changes?: Record<string, unknown>;
  key?: { "idempotency-key": string };
};

/** A buyer's browser: what it sends and reads. */
export function createBuyer(site: TestSite, visitor: Visitor) {
  const pay = async (order: HeldOrder, { card, token, payPal = false, changes = {}, key = newKey() }: Paying = {}) => {
    const instrument = payPal
      ? await createNonce(site.config.braintree.url, { kind: "paypal" })
      : (token ?? (await site.cardToken(card)));
    const body = {
      ...person,
      key: order.key,
      method: payPal ? "pp" : "cc",
      instrument,
      total: order.total,
      captcha: await visitor.solveCaptcha("tickets"),
      ...changes,
    };
    return { body, key, answer: await visitor.post(`/api/ticket-orders/${order.id}/payment`, body, key) };
  };
  const hold = (
    event: string,
    lines: Lines,
    more: Record<string, unknown> = {},
    key: Record<string, string> = newKey(),
  ) => visitor.post("/api/ticket-orders", { event, lines, ...more }, key);
  return {
    hold,
    pay,
    /** Holds and pays by card. */
    async book(event: string, lines: Lines) {
      const { data } = await hold(event, lines);
      const { answer } = await pay(data);
      return { order: data as HeldOrder & { reference: string }, answer };
    },
    /** Books held seats that cost nothing. */
    bookFree: async ({ id, key }: HeldOrder) =>
      visitor.post(`/api/ticket-orders/${id}/booking`, {
        ...person,
        key,
        captcha: await visitor.solveCaptcha("hold", 4),
      }),
    find: async ({ id, key }: Pick<HeldOrder, "id" | "key">) =>
      JSON.parse((await visitor.ask({ url: `/api/ticket-orders/${id}?key=${key}` })).body),
    cancel: ({ id, key }: HeldOrder, tickets: readonly string[]) =>
      visitor.post(`/api/ticket-orders/${id}/cancellation`, { key, tickets }),
    rename: ({ id, key }: HeldOrder, ticket: string, name: string) =>
      visitor.post(`/api/ticket-orders/${id}/holder`, { key, ticket, name }),
  };
}

const person = { email: "amina@example.com", firstName: "Amina", lastName: "Raza", country: "Australia" };

/** The counters of an event's types, by code, and what its orders and tickets say they should be. */
export async function countSeats(site: TestSite, eventId: number) {
  const { rows } = await site.pool.query(
    `select t.code, t.capacity, t.sold, t.held,
       (select count(*)::integer from tickets k where k.type_id = t.id and k.cancelled_at is null) as issued,
       (select coalesce(sum(l.quantity), 0)::integer from ticket_order_lines l join ticket_orders o on o.id = l.order_id
         where l.type_id = t.id and o.state = 'held') as promised
     from ticket_types t where t.event_id = $1 order by t.id`,
    [eventId],
  );
  return Object.fromEntries(
    rows.map(({ code, ...counts }) => [
      code,
      counts as Record<"capacity" | "sold" | "held" | "issued" | "promised", number>,
    ]),
  );
}

/** Lets time pass until no refund is open: a full refund is made immediately, a partial one after settlement. */
export async function settleRefunds({ services, clock, pool, simulator }: TestSite): Promise<void> {
  for (let step = 0; step < 6; step += 1) {
    await services.payments.tick(clock.now());
    const { rowCount } = await pool.query("select 1 from refunds where state not in ('succeeded', 'failed')");
    if (rowCount === 0) return;
    clock.advance(3_700_000);
    await simulator.advance(25 * 3_600_000);
  }
}
