import type { ColumnType } from "kysely";

declare module "#shared/database/tables.ts" {
  interface Tables {
    setting_versions: {
      key: string;
      number: number;
      value: ColumnType<unknown, string, never>;
      saved_at: Date;
      saved_by: number | null;
    };
  }
}
