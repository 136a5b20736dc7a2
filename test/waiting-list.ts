import { sendEmails } from "#app/emails.ts";
import type { WaitingEmailJob } from "#features/tickets/server/emails/waiting-emails.ts";
import { offerFreeSeats } from "#features/tickets/server/waiting/offer-seats.ts";
import type { JobData } from "#shared/jobs/queues.ts";
import { planEvent } from "./called-off-event.ts";
import type { RefundSite } from "./refund-site.ts";
import { compareTickets } from "./ticket-books.ts";
import type { HeldOrder } from "./ticket-buyer.ts";

type EventChanges = Parameters<typeof planEvent>[2];

/** An event whose VIP seats are sold out, with what people do who wait for one. */
export async function sellOut(site: RefundSite, seats = 4, changes: EventChanges = {}) {
  const planner = await site.join("events");
  const event = await planEvent(site, planner, { ...changes, vip: { capacity: seats, ...changes.vip } });
  const buyer = await event.buyer("203.0.113.9");
  const orders: HeldOrder[] = [];
  for (let sold = 0; sold < seats; sold += 2) {
    const { order } = await buyer.book(event.slug, [{ type: "vip", quantity: 2 }]);
    orders.push(order);
  }
  const addressOf = (name: string) => `${name.toLowerCase()}.${event.id}@example.com`;
  return {
    ...event,
    planner,
    buyer,
    orders,
    addressOf,
    /** Sends the form. */
    async join(name: string, quantity = 1, more: Record<string, unknown> = {}) {
      joined += 1;
      const visitor = await site.visitor(`198.51.100.${joined % 250}`);
      return visitor.post("/api/waiting-list", {
        firstName: name,
        lastName: "Raza",
        email: addressOf(name),
        event: event.slug,
        type: "vip",
        quantity,
        captcha: await visitor.solveCaptcha("hold", 1),
        ...more,
      });
    },
    /** The buyer cancels so many of the tickets, of one order after the other. */
    async free(count: number) {
      const { rows } = await site.pool.query(
        `select tickets.id, order_id from tickets join ticket_orders on ticket_orders.id = order_id
          where event_id = $1 and cancelled_at is null order by paid_at, position limit $2`,
        [event.id, count],
      );
      for (const order of orders) {
        const tickets = rows.filter(({ order_id }) => order_id === order.id).map(({ id }) => id);
        if (tickets.length > 0) await buyer.cancel(order, tickets);
      }
    },
    offer: () => offerFreeSeats(site.services),
    /** Each entry by the first name: its state of the moment and what its order is. */
    async standing(): Promise<Record<string, string>> {
      const { rows } = await site.pool.query(
        `select e.first_name, offered_at, left_at, o.state from waiting_entries e left join ticket_orders o on o.id = order_id
          where e.event_id = $1 order by joined_at, e.id`,
        [event.id],
      );
      return Object.fromEntries(
        rows.map((row) => [
          row.first_name,
          row.left_at !== null ? "left" : row.offered_at === null ? "waiting" : row.state,
        ]),
      );
    },
    vip: async () =>
      (
        await site.pool.query(
          "select capacity, sold, held, keeps_seats from ticket_types where event_id = $1 and code = 'vip'",
          [event.id],
        )
      ).rows[0] as { capacity: number; sold: number; held: number; keeps_seats: boolean },
    /** Sends the emails of the list that wait in the outbox, and returns those of one template. */
    async emails(template: WaitingEmailJob["template"]) {
      await site.pool.query("truncate mailbox_messages");
      const { rows } = await site.pool.query(
        `delete from pgboss.job where name = 'emails' and data ->> 'template' = $1
          and (data ->> 'entryId')::uuid in (select id from waiting_entries where event_id = $2) returning data`,
        [template, event.id],
      );
      for (const { data } of rows) await sendEmails(site.services)(data as JobData["emails"]);
      const sent = await site.pool.query(
        "select recipient, subject, text_body from mailbox_messages order by recipient",
      );
      return sent.rows as { recipient: string; subject: string; text_body: string }[];
    },
    books: () => compareTickets(site.pool),
  };
}

let joined = 0;

/** The path of the first link in an email to a place on the list, or to an order. */
export const linkIn = (text: string, to: "waiting-list" | "ticket-orders") =>
  new RegExp(`/${to}/([0-9a-f-]{36})\\?key=([^\\s)]+)`).exec(text)!;
