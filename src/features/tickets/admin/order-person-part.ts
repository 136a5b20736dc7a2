import type { PersonPart, PersonRow } from "#admin/person.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { formatDollars, plural } from "#shared/language.ts";
import { type FoundOrder, findBuyerEmail, listOrdersOf } from "../server/find-orders.ts";
import { describeOrder } from "./orders/order-words.ts";

type OrderServices = CoreServices<"database" | "now">;

/** The ticket orders on a person’s page. */
export function orderPersonPart({ database, now }: OrderServices): PersonPart {
  return {
    right: "orders.see",
    findEmail: (id) => findBuyerEmail(database, id),
    async readTable(email) {
      const orders = await listOrdersOf(database, email);
      return {
        id: "tickets",
        title: "Ticket orders",
        caption: "Ticket orders of this email address, latest first",
        about: "Event",
        detailsTitle: "Tickets",
        rows: orders.map((order) => describe(order, now())),
        none: "No tickets were ordered with this email address.",
        names: [...new Set(orders.map(({ name }) => name))],
      };
    },
  };
}

function describe(order: FoundOrder, now: Date): PersonRow {
  const { id, reference, event, lines, cancelled, at, totalCents, takenCents } = order;
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const tickets = lines.map(({ title, quantity }) => `${quantity} × ${title}`);
  const hasCancelled = order.state === "paid" && cancelled > 0;
  return {
    reference,
    path: `/admin/orders/${id}`,
    at,
    title: event,
    cents: totalCents + takenCents,
    status: describeOrder({ ...order, tickets: count }, now),
    refundRequest: order.refundRequest,
    details: [
      ...tickets,
      ...(hasCancelled
        ? [plural(cancelled, { one: "1 of them cancelled", other: `${cancelled} of them cancelled` })]
        : []),
      ...(takenCents > 0 ? [`${formatDollars(takenCents)} taken at the door`] : []),
    ],
  };
}
