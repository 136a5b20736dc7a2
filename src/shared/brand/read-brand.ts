import type { Connection } from "#shared/database/connect.ts";
import { BRAND_SETTING, deliveredBrand, readBrandChanges, type SiteBrand } from "./site-brand.ts";

/** The brand that visitors see; what is invalid counts as none. */
export async function readBrand(connection: Connection): Promise<SiteBrand> {
  const row = await connection
    .selectFrom("site_settings")
    .select("value")
    .where("key", "=", BRAND_SETTING)
    .executeTakeFirst();
  return readBrandChanges(row?.value ?? {}) ?? deliveredBrand;
}
