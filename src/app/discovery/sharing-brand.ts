import { type BrandSources, findBrandCopy } from "#shared/brand/brand-pictures.ts";
import { readDocumentLook } from "#shared/brand/document-look.ts";
import { deliveredBrand, hashOfPicture, type SiteBrand } from "#shared/brand/site-brand.ts";
import { showsHero } from "#shared/brand/stylesheet.ts";
import type { Picture } from "#shared/images/picture.ts";
import { describePictures } from "#shared/images/store.ts";

/** What a brand gives to the pictures for shared links. */
export type SharingBrand = {
  readonly look: Pick<SiteBrand, "theme" | "main" | "accent" | "hasStars" | "hasStrips">;
  /** For dark grounds, in the place of mark and name; null without one. */
  readonly logo: Uint8Array | null;
  /** Null for the delivered one. */
  readonly mark: Uint8Array | null;
  /** For pages that have none of their own: the first that can be read. */
  readonly pictures: readonly Picture[];
  /** Whether the home page’s drawing stands for all of these. */
  readonly hasDrawing: boolean;
};

export const deliveredSharing: SharingBrand = {
  look: deliveredBrand,
  logo: null,
  mark: null,
  pictures: [],
  hasDrawing: true,
};

export async function readSharingBrand(sources: BrandSources, brand: SiteBrand): Promise<SharingBrand> {
  const { sharingPicture, heroPicture, mark } = brand;
  const addresses = [sharingPicture, brand.hero === "photograph" ? heroPicture : ""].filter(Boolean);
  const [described, { logo }, ownMark] = await Promise.all([
    describePictures(sources.database, addresses),
    readDocumentLook(sources, brand),
    mark === "" ? undefined : findBrandCopy(sources, hashOfPicture(mark)!, "mark"),
  ]);
  return {
    look: brand,
    logo: logo?.onDark ?? null,
    mark: ownMark ?? null,
    pictures: addresses.map((address) => described.get(address)!),
    hasDrawing: brand.hero === "drawing" && showsHero(brand),
  };
}
