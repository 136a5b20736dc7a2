import type { Picture } from "../images/picture.ts";

/** A line above the header of every page, but for those where people pay. */
export type Banner = {
  /** The same as long as it is the same announcement: who has closed it does not see it again. */
  readonly key: string;
  readonly text: string;
  readonly link: { readonly label: string; readonly address: string } | null;
};

export type MenuLink = { readonly label: string; readonly path: string };

/** The lists of the header and the footer that staff have changed, by their names. */
export type Menus = Readonly<Record<string, readonly MenuLink[]>>;

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
  readonly hero: "drawing" | "nothing" | { readonly picture: Picture; readonly words: string };
  /** Of the three cards on the home page, in their order. */
  readonly cards: readonly ("drawing" | "nothing" | Picture)[];
  /** The home page’s blocks below its banner, in their order. */
  readonly home: readonly string[];
};
