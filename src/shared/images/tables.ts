import type { Generated } from "kysely";

declare module "#shared/database/tables.ts" {
  interface Tables {
    images: { hash: string; width: number; height: number; color: string; created_at: Generated<Date> };
    image_variants: { hash: string; width: number; format: ImageFormat; bytes: Buffer };
  }
}

export type ImageFormat = "webp" | "jpeg";
