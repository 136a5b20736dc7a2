import type { ColumnType, Generated } from "kysely";
import type { Organisation } from "#shared/organisation.ts";
import type { BankAccountDecision } from "./bank-account-requests.ts";

declare module "#shared/database/tables.ts" {
  interface Tables {
    setting_versions: {
      key: string;
      number: number;
      value: ColumnType<unknown, string, never>;
      saved_at: Date;
      saved_by: number | null;
    };
    bank_account_requests: {
      id: Generated<number>;
      banks: ColumnType<Organisation["banks"], string, never>;
      seen_version: number;
      requested_by: number;
      requested_at: Date;
      decision: BankAccountDecision | null;
      decided_by: number | null;
      decided_at: Date | null;
      decision_reason: Generated<string>;
    };
  }
}
