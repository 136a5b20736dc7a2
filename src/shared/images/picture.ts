/**
 * A content picture as pages show it. `address` is what the database and the wire say: '/images/<hash>' of a picture that
 * is served in several `widths` (pixels, ascending), or the file of a drawing, which has none. `width` and `height` give
 * its shape; `color` (#rrggbb) stands in until it is there.
 */
export type Picture = {
  readonly address: string;
  readonly width: number;
  readonly height: number;
  readonly color: string | null;
  readonly widths: readonly number[];
};
