import type { Picture } from "./picture.ts";

/** The demo’s registration badge, which belongs to no register. */
export const placeholderBadge = "/identity/brand/badge-registered-charity-placeholder.svg";

/** A picture of the brand as the header has it: its size in pixels is the one it is shown in. */
export type BrandImage = { readonly address: string; readonly width: number; readonly height: number };

/** How pages look, apart from their words: what staff have chosen in place of the delivered brand. */
export type BrandFrame = {
  /** The address of what follows the site’s own stylesheet; null if nothing differs. */
  readonly stylesheet: string | null;
  /** The fonts of the first screen, in place of the delivered ones; null for those. */
  readonly fonts: readonly string[] | null;
  /** The families of the delivered fonts that this brand still uses. */
  readonly usesTextFont: boolean;
  readonly themeColour: string;
  /** In place of mark and name. */
  readonly logo: { readonly onLight: BrandImage; readonly onDark: BrandImage; readonly words: string } | null;
  readonly mark: BrandImage | null;
  readonly icons: {
    readonly favicon: string;
    readonly touch: string;
    readonly small: string;
    readonly large: string;
    readonly maskable: string;
  } | null;
  /** The address of the register’s picture, square; null without one. */
  readonly badge: string | null;
  readonly hero: "drawing" | "nothing" | { readonly picture: Picture; readonly words: string };
  /** Of the three cards on the home page, in their order. */
  readonly cards: readonly ("drawing" | "nothing" | Picture)[];
  /** The home page’s blocks below its banner, in their order. */
  readonly home: readonly string[];
};
