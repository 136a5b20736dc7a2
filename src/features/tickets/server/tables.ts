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
      /** Whether its free seats are for its waiting list. */
      keeps_seats: Generated<boolean>;
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
      /** The member of staff who gave the tickets, or sold them at the door. */
      sold_by: ColumnType<number | null, number | null | undefined, never>;
      /** What they took themselves, in cash or by a card reader. */
      taken_cents: ColumnType<number, number | undefined, never>;
      discount_id: ColumnType<number | null, number | null | undefined, never>;
      discount_code: Generated<string>;
      /** When it was cancelled, or its late payment refused, because its event was called off. */
      called_off_at: ColumnType<Date | null, Date | null | undefined, Date>;
    };
    call_off_requests: {
      /** Made by the server when the form is shown. */
      id: string;
      event_id: number;
      /** Why, as the email to the buyers says it. */
      reason: string;
      requested_by: number;
      requested_at: Date;
      decision: ColumnType<CallOffDecision | null, never, CallOffDecision>;
      decided_by: ColumnType<number | null, never, number>;
      decided_at: ColumnType<Date | null, never, Date>;
      decision_reason: ColumnType<string, never, string>;
      /** When the last paid order was cancelled. */
      finished_at: ColumnType<Date | null, never, Date>;
    };
    event_move_emails: { id: string; event_id: number; note: string; sent_by: number; sent_at: Date };
    /** The time and place that an event had before another was published, while tickets were sold. */
    event_moves: {
      id: Generated<number>;
      event_id: number;
      moved_at: Generated<Date>;
      starts_at: Date;
      ends_at: Date;
      time_zone: string;
      is_all_day: boolean;
      place: string;
      is_online: boolean;
      /** Null until the holders are told. */
      email_id: ColumnType<string | null, string | null | undefined, string>;
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
      /** What staff took in person for each of its tickets. */
      taken_cents: Generated<number>;
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
    waiting_entries: {
      id: string;
      event_id: number;
      type_id: number;
      quantity: number;
      email: string;
      first_name: string;
      last_name: string;
      user_id: ColumnType<number | null, number | null | undefined, number | null>;
      joined_at: Date;
      /** How long free seats are kept for it until there are enough; null before some were free. */
      gathers_until: ColumnType<Date | null, never, Date>;
      offered_at: ColumnType<Date | null, never, Date>;
      /** The order that holds the seats it was offered. */
      order_id: ColumnType<string | null, never, string>;
      left_at: ColumnType<Date | null, never, Date>;
      /** Who of the staff took it off the list. */
      removed_by: ColumnType<number | null, never, number>;
    };
    /** What staff write to the holders of an event's tickets. */
    holder_emails: {
      id: string;
      event_id: number;
      kind: "reminder" | "news" | "thanks";
      subject: string;
      body: string;
      only_came: boolean;
      written_by: number;
      written_at: Date;
      /** Until then it can be stopped. */
      goes_at: Date;
      stopped_by: ColumnType<number | null, never, number>;
      stopped_at: ColumnType<Date | null, never, Date>;
      sent_at: ColumnType<Date | null, never, Date>;
      people: ColumnType<number | null, never, number>;
    };
    door_phones: {
      id: string;
      event_id: number;
      name: string;
      added_by: number;
      added_at: Date;
      pass_hash: ColumnType<Buffer | null, never, Buffer>;
      paired_at: ColumnType<Date | null, never, Date>;
      last_seen_at: ColumnType<Date | null, never, Date>;
      ended_at: ColumnType<Date | null, never, Date>;
    };
    door_scans: {
      id: string;
      number: Generated<number>;
      event_id: number;
      ticket_id: string;
      phone_id: string;
      undoes: string | null;
      scanned_at: Date;
      received_at: Date;
    };
  }
}

/** `link`: for whoever has the link with its key. */
type TypeVisibility = "public" | "link";
/** `free`: nothing was to pay. `staff`: complimentary, or paid at the door. */
type PaidBy = "online" | "free" | "staff";

export type CallOffDecision = "approved" | "declined" | "withdrawn";

export type TicketOrderState = "held" | "lapsed" | "paid" | "cancelled" | "refunded";
