/** A line above the header of every page, but for those where people pay. */
export type Banner = {
  /** The same as long as it is the same announcement: who has closed it does not see it again. */
  readonly key: string;
  readonly text: string;
  readonly link: { readonly label: string; readonly address: string } | null;
};
