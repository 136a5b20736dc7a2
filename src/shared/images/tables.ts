import type { Generated } from "kysely";
import type { StoredFile } from "#shared/database/stored-file.ts";

declare module "#shared/database/tables.ts" {
  interface Tables {
    images: {
      hash: string;
      width: number;
      height: number;
      color: string;
      name: Generated<string>;
      added_by: Generated<number | null>;
      focus_x: Generated<number>;
      focus_y: Generated<number>;
      replaced_by: Generated<string | null>;
      created_at: Generated<Date>;
    };
    image_originals: { hash: string } & StoredFile;
    image_avif_tries: {
      hash: string;
      tries: number;
      tried_at: Date;
      is_busy: Generated<boolean>;
      is_done: Generated<boolean>;
    };
    image_variants: { hash: string; width: number; format: ImageFormat } & StoredFile;
  }
}

export type ImageFormat = "webp" | "jpeg" | "avif";
