import { randomUUID } from "node:crypto";
import {
  approveCallOff,
  type CallOffServices,
  declineCallOff,
  requestCallOff,
} from "#features/tickets/server/call-off/call-off-requests.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import type { RefundSite } from "./refund-site.ts";
import { createBuyer, makeTicketedEvent } from "./ticket-buyer.ts";

export type Person = Awaited<ReturnType<RefundSite["join"]>>;
type EventChanges = Parameters<typeof makeTicketedEvent>[1];

/** An event that staff call off, with what they do about it. */
export async function planEvent(site: RefundSite, planner: Person, changes: EventChanges = {}) {
  const startsAt = new Date(site.clock.now().getTime() + 100 * 86_400_000);
  const { id, slug } = await makeTicketedEvent(site.database, { startsAt, ...changes });
  await planner.browser.get("/admin/events");
  const { rows } = await site.pool.query("select id from content_items where kind = 'events' and live_key = $1", [
    String(id),
  ]);
  const event = (await findEventOfScreen(site.database, String(rows[0].id)))!;
  const services: CallOffServices = site.services;
  return {
    id,
    slug,
    event,
    screen: `/admin/events/${event.screenId}/call-off`,
    buyer: async (address?: string) => createBuyer(site, await site.visitor(address)),
    /** Asks, and returns the id of the request. */
    async ask(person: Person, reason = "The hall was damaged by the storm.") {
      const requestId = randomUUID();
      await requestCallOff(services, { id: requestId, event, reason }, person.actor);
      return requestId;
    },
    approve: (requestId: string, person: Person, by = services) =>
      approveCallOff(by, { id: requestId, event }, person.actor),
    decline: (requestId: string, person: Person, by = services) =>
      declineCallOff(by, { id: requestId, event, reason: "It takes place" }, person.actor),
    /** How its orders stand: the state of each, and how many refunds and emails about it there are. */
    async listOrders() {
      const found = await site.pool.query(
        `select reference, state, called_off_at is not null as "isCalledOff",
                (select count(*)::integer from refunds join payment_attempts a on a.id = attempt_id
                  where ticket_order_id = orders.id and request_key like 'call-off %') as refunds,
                (select coalesce(sum(refunds.amount_cents), 0)::integer from refunds join payment_attempts a on a.id = attempt_id
                  where ticket_order_id = orders.id and refunds.state = 'succeeded') as cents,
                (select count(*)::integer from pgboss.job where name = 'emails'
                    and data ->> 'template' = 'event-called-off' and data ->> 'orderId' = orders.id::text) as emails,
                (select count(*)::integer from tickets where order_id = orders.id and cancelled_at is null) as valid
           from ticket_orders orders where event_id = $1 order by created_at, id`,
        [id],
      );
      return found.rows as readonly {
        readonly reference: string;
        readonly state: string;
        readonly isCalledOff: boolean;
        readonly refunds: number;
        readonly cents: number;
        readonly emails: number;
        readonly valid: number;
      }[];
    },
  };
}
