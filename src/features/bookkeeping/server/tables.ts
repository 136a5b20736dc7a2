import type { ColumnType, Generated } from "kysely";
import type { ProviderName } from "#payments/tables.ts";

declare module "#shared/database/tables.ts" {
  interface Tables {
    /** Days are YYYY-MM-DD in Sydney, as text. */
    book_days: {
      day: string;
      subject: BookSubject;
      provider: ProviderName;
      account: string;
      is_refund: boolean;
      movements: number;
      amount_cents: number;
    };
    book_days_progress: {
      is_singleton: Generated<boolean>;
      counted_id: number;
      checked_at: Date | null;
    };
    donor_counts: {
      first_day: string;
      last_day: string;
      donors: number;
      new_donors: number;
      lapsed_donors: number;
      median_cents: number;
      counted_at: Date;
    };
    journal_batches: {
      id: Generated<number>;
      first_day: string;
      last_day: string;
      made_by: number | null;
      made_at: Date;
    };
    journal_days: {
      id: Generated<number>;
      batch_id: number;
      day: string;
      part: number;
    };
    journal_lines: {
      journal_day_id: number;
      account: string;
      amount_cents: ColumnType<number, number, never>;
    };
  }
}

type BookSubject = "donation" | "tickets";
