import type { BrandFrame } from "#shared/images/brand-frame.ts";
import { deliveredBrand } from "./site-brand.ts";

/** How pages look as delivered. */
export const deliveredFrame: BrandFrame = {
  stylesheet: null,
  fonts: null,
  usesTextFont: true,
  themeColour: deliveredBrand.main,
  logo: null,
  mark: null,
  icons: null,
  badge: null,
  hero: "drawing",
  cards: ["drawing", "drawing", "drawing"],
  home: deliveredBrand.home.map(({ name }) => name),
};
