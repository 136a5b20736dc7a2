import type { ColumnType, Generated } from "kysely";

declare module "#shared/database/tables.ts" {
  interface Tables {
    ticket_types: {
      id: Generated<number>;
      event_id: number;
      code: string;
      title: string;
      description: Generated<string>;
      position: Generated<number>;
      price_cents: number;
      capacity: number;
      sold: Generated<number>;
      held: Generated<number>;
      limit_per_order: Generated<number>;
      sales_from: ColumnType<Date | null, Date | null | undefined, Date | null>;
      sales_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
      visibility: Generated<TypeVisibility>;
      access_key: Generated<string>;
      retired_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    };
    discount_codes: {
      id: Generated<number>;
      event_id: number;
      code: string;
      percent: number | null;
      cents: number | null;
      type_ids: Generated<number[]>;
      valid_from: ColumnType<Date | null, Date | null | undefined, Date | null>;
      valid_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
      most_uses: number | null;
      most_per_order: number;
      ended_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    };
    ticket_orders: {
      id: string;
      reference: string;
      event_id: number;
      client_key: string | null;
      request_hash: Buffer;
      state: TicketOrderState;
      hold_until: Date;
      /** The holder: the id of the browser's cookie, and a keyed hash of the network address. */
      browser_id: ColumnType<string | null, string | null | undefined, null>;
      network_hash: ColumnType<string | null, string | null | undefined, null>;
      total_cents: number;
      currency: Generated<"AUD">;
      /** The buyer is known once a payment is sent. */
      email: ColumnType<string | null, string | null | undefined, string>;
      first_name: ColumnType<string | null, string | null | undefined, string>;
      last_name: ColumnType<string | null, string | null | undefined, string>;
      country: ColumnType<string | null, string | null | undefined, string>;
      phone: Generated<string>;
      address: Generated<string>;
      postcode: Generated<string>;
      suburb: Generated<string>;
      user_id: ColumnType<number | null, number | null | undefined, number | null>;
      account_closed_at: ColumnType<Date | null, Date | null | undefined, Date>;
      created_at: Date;
      paid_at: ColumnType<Date | null, Date | null | undefined, Date>;
      /** The payment that bought the tickets. */
      paid_attempt_id: ColumnType<string | null, string | null | undefined, string>;
      paid_by: Generated<PaidBy>;
      discount_id: ColumnType<number | null, number | null | undefined, never>;
      discount_code: Generated<string>;
    };
    ticket_order_lines: {
      order_id: string;
      type_id: number;
      quantity: number;
      title: string;
      price_cents: number;
      /** How many of its tickets the discount code makes cheaper, and by how much each. */
      discounted: Generated<number>;
      discount_cents: Generated<number>;
    };
    tickets: {
      id: string;
      order_id: string;
      type_id: number;
      position: number;
      holder_name: string;
      serial: Buffer;
      cancelled_at: ColumnType<Date | null, Date | null | undefined, Date>;
      refund_id: ColumnType<string | null, string | null | undefined, string | null>;
      discount_cents: Generated<number>;
    };
  }
}

/** `link`: for whoever has the link with its key. */
export type TypeVisibility = "public" | "link";
/** `free`: nothing was to pay. */
export type PaidBy = "online" | "free";

export type TicketOrderState = "held" | "lapsed" | "paid" | "cancelled" | "refunded";
