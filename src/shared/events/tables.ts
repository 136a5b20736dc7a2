import type { ColumnType, Generated } from "kysely";
import type { Edited } from "#shared/database/tables.ts";

declare module "#shared/database/tables.ts" {
  interface Tables {
    events: {
      id: Generated<number>;
      slug: string;
      title: string;
      summary: string;
      html: Generated<string>;
      image: string;
      place: Generated<string>;
      is_online: Generated<boolean>;
      starts_at: Date;
      ends_at: Date;
      time_zone: Generated<string>;
      is_all_day: Generated<boolean>;
      created_by: string;
      image_words: Generated<string>;
      image_decorates: Generated<boolean>;
      called_off_at: ColumnType<Date | null, Date | null | undefined, Date>;
    } & Edited;
  }
}
