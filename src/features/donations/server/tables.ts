import type { ColumnType, Generated } from "kysely";

declare module "#shared/database/tables.ts" {
  interface Tables {
    donation_categories: {
      id: Generated<number>;
      fund: string;
      title: string;
      position: number;
      has_subcategories: boolean;
      quantity_is_editable: boolean;
      amount_is_editable: boolean;
      amount_cents: number | null;
      asks_names: boolean;
      receipt_kind: ReceiptKind;
      admin_fee_applies: Generated<boolean>;
      retired_at: Date | null;
      description: Generated<string>;
      suggested_cents: Generated<number[]>;
    };
    donation_subcategories: {
      id: Generated<number>;
      category_id: number;
      title: string;
      position: number;
      amount_cents: number | null;
      retired_at: Date | null;
    };
    /** What a unit costs, from a day (YYYY-MM-DD) in Sydney. */
    donation_prices: {
      id: Generated<number>;
      category_id: number;
      subcategory_id: number | null;
      holds_from: string;
      amount_cents: number;
      set_at: Date;
      set_by: number;
      withdrawn_at: ColumnType<Date | null, never, Date>;
      withdrawn_by: ColumnType<number | null, never, number>;
    };
    donations: {
      id: string;
      reference: string;
      is_anonymous: boolean;
      first_name: string;
      last_name: string;
      email: string;
      postcode: string | null;
      method: "cc" | "pp";
      subtotal_cents: number;
      admin_fee_cents: number;
      merchant_fee_cents: number;
      total_cents: number;
      currency: Generated<"AUD">;
      awaits_receipt: Generated<boolean>;
      user_id: ColumnType<number | null, number | null | undefined, number | null>;
      /** Identifies a repeat of the same donation by the same donor; see repeat-donation.ts. */
      repeat_digest: ColumnType<Buffer | null, Buffer | null | undefined, null>;
      /** True if staff took it out of an account: it then never joins one automatically. */
      stays_out_of_account: Generated<boolean>;
      account_closed_at: ColumnType<Date | null, Date | null | undefined, Date>;
      created_at: Date;
      /** Name and email as they are searched for, kept by the database. */
      search_text: ColumnType<string, never, never>;
    };
    /** Kept by the database from the lines: which funds a donation is for. */
    donation_funds: {
      fund: ColumnType<string, never, never>;
      created_at: ColumnType<Date, never, never>;
      donation_id: ColumnType<string, never, never>;
    };
    donation_days: {
      day: string;
      fund: string;
      method: "cc" | "pp";
      state: string;
      donations: number;
      given_cents: number;
      fee_cents: number;
      admin_fee_cents: number;
      refunded_cents: number;
    };
    donation_days_progress: {
      event_id: number | null;
      entry_id: number | null;
      checked_at: Date | null;
    };
    donation_lines: {
      donation_id: string;
      position: number;
      category_id: number;
      subcategory_id: number | null;
      fund: string;
      category_title: string;
      subcategory_title: string;
      receipt_kind: ReceiptKind;
      quantity: number;
      unit_cents: number;
      line_cents: number;
      admin_share_cents: number;
      merchant_share_cents: number;
      on_behalf_of: string[];
    };
    receipt_counter: { is_singleton: Generated<boolean>; last_number: number };
    receipts: {
      number: number;
      donation_id: string;
      data: ColumnType<unknown, string, never>;
      issued_at: Date;
      is_latest: Generated<boolean>;
      voided_at: Generated<Date | null>;
      replaces: Generated<number | null>;
      erased_at: ColumnType<Date | null, Date | null | undefined, Date>;
    };
  }
}

export type ReceiptKind = "gift" | "not_deductible";
