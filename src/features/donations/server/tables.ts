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
    };
    donation_subcategories: {
      id: Generated<number>;
      category_id: number;
      title: string;
      position: number;
      amount_cents: number | null;
      retired_at: Date | null;
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
      /** Tells the same donation of the same giver again: see just-given.ts. */
      repeat_digest: ColumnType<Buffer | null, Buffer | null | undefined, null>;
      account_closed_at: ColumnType<Date | null, Date | null | undefined, Date>;
      created_at: Date;
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
    receipt_counter: { is_only: Generated<boolean>; last_number: number };
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
