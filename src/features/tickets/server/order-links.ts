import type { DocumentLinks } from "#shared/links/send-link.ts";
import { findOrder } from "./store.ts";

/** Links to the page of an order, its tickets and its calendar file. */
export const orderLinks: DocumentLinks = {
  async findId(connection, reference) {
    const query = connection.selectFrom("ticket_orders").select("id").where("reference", "=", reference);
    return (await query.executeTakeFirst())?.id;
  },
  /** Nobody before a payment: until then no email has gone out. */
  async findRecipient(connection, id) {
    const order = await findOrder(connection, id);
    if (!order?.email || order.paid_at === null) return null;
    const name = [order.first_name, order.last_name].filter(Boolean).join(" ");
    return { name, address: order.email, title: `your order ${order.reference}` };
  },
};
