import type { DocumentLinks } from "#shared/links/send-link.ts";
import { findOrder } from "./store.ts";

export const orderLinks: DocumentLinks = {
  async findId(connection, reference) {
    const query = connection.selectFrom("ticket_orders").select("id").where("reference", "=", reference);
    return (await query.executeTakeFirst())?.id;
  },
  /** Null before a payment: no email has been sent yet. */
  async findRecipient(connection, id) {
    const order = await findOrder(connection, id);
    if (!order?.email || order.paid_at === null) return null;
    const name = [order.first_name, order.last_name].filter(Boolean).join(" ");
    return {
      name,
      address: order.email,
      heading: `A new link to your order ${order.reference}`,
      label: `Open your order ${order.reference}`,
    };
  },
};
