import { z } from "zod";
import {
  BRAND_DRAFT,
  BRAND_SETTING,
  brandChanges,
  deliveredBrand,
  listBrandPictures,
  readBrandChanges,
  type SiteBrand,
} from "#shared/brand/site-brand.ts";
import type { Connection } from "#shared/database/connect.ts";
import { describePictures } from "#shared/images/store.ts";
import { findSettingValue, type ListedVersion, listSettingVersions, readSetting } from "./setting-versions.ts";

export type BrandVersion = {
  /** Of the draft: each form begins from one. */
  readonly number: number;
  /** What staff edit: the draft, or what visitors see if there is none. */
  readonly brand: SiteBrand;
  readonly published: SiteBrand;
  readonly isDraft: boolean;
  readonly savedBy: string | null;
  readonly savedAt: Date | null;
};

const Draft = z.object({ brand: z.unknown() });

/** The row of the draft: nothing in it means that there is none. */
export const draftValue = (brand: SiteBrand | null): unknown => (brand === null ? {} : { brand: brandChanges(brand) });

const brandIn = (value: unknown): SiteBrand => readBrandChanges(value) ?? deliveredBrand;

const draftIn = (value: unknown): SiteBrand | null => {
  const draft = Draft.safeParse(value);
  return draft.success && draft.data.brand !== undefined ? readBrandChanges(draft.data.brand) : null;
};

export async function readBrandVersion(connection: Connection): Promise<BrandVersion> {
  const draft = await readSetting(connection, BRAND_DRAFT);
  const published = brandIn((await readSetting(connection, BRAND_SETTING)).value);
  const drafted = draftIn(draft.value);
  return {
    number: draft.number,
    brand: drafted ?? published,
    published,
    isDraft: drafted !== null,
    savedBy: draft.savedBy?.name ?? null,
    savedAt: draft.savedAt,
  };
}

/** What a form began from; null if there is no such version of the draft. */
export async function findBrandBase(connection: Connection, number: number): Promise<SiteBrand | null> {
  const value = await findSettingValue(connection, BRAND_DRAFT, number);
  if (value === null) return null;
  return draftIn(value) ?? brandIn((await readSetting(connection, BRAND_SETTING)).value);
}

export type PublishedBrand = Pick<ListedVersion, "number" | "savedAt" | "savedBy"> & { readonly brand: SiteBrand };

/** What visitors saw, newest first, and the delivered brand last. */
export async function listPublishedBrands(connection: Connection): Promise<PublishedBrand[]> {
  const versions = await listSettingVersions(connection, BRAND_SETTING);
  return versions.map(({ value, number, savedAt, savedBy }) => ({ number, savedAt, savedBy, brand: brandIn(value) }));
}

/** An earlier brand; 0 is the delivered one. Null if there is none with this number. */
export async function findPublishedBrand(connection: Connection, number: number): Promise<SiteBrand | null> {
  const value = await findSettingValue(connection, BRAND_SETTING, number);
  return value === null ? null : readBrandChanges(value);
}

/** The fields whose pictures the library does not have. */
export async function listLostPictures(connection: Connection, brand: SiteBrand): Promise<string[]> {
  const used = listBrandPictures(brand);
  const described = await describePictures(
    connection,
    used.map(({ address }) => address),
  );
  return used.filter(({ address }) => described.get(address)!.widths.length === 0).map(({ name }) => name);
}
