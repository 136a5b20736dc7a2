import type { Generated } from "kysely";

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
    image_originals: { hash: string; bytes: Buffer };
    image_avif_tries: {
      hash: string;
      tries: number;
      tried_at: Date;
      is_busy: Generated<boolean>;
      is_done: Generated<boolean>;
    };
    image_variants: { hash: string; width: number; format: ImageFormat; bytes: Buffer };
  }
}

export type ImageFormat = "webp" | "jpeg" | "avif";
