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
