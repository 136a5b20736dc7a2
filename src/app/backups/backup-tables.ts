import type { Generated } from "kysely";

declare module "#shared/database/tables.ts" {
  interface Tables {
    backups: {
      id: Generated<number>;
      day: string;
      started_at: Date;
      file: string | null;
      bytes: number | null;
      taken_at: Date | null;
      proved_at: Date | null;
      fault: string | null;
    };
    restores: { id: Generated<number>; backup_taken_at: Date; restored_at: Date; opened_at: Date | null };
    receipt_gaps: { first_number: number; last_number: number; restore_id: number; created_at: Date };
  }
}
