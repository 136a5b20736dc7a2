/**
 * A content picture. `address` is its name in the database and on the wire: '/images/<hash>' for a picture with several
 * `widths` (pixels, ascending), or the file of a drawing, which has none. `width` and `height` give its shape; `color`
 * (#rrggbb) is shown until it has loaded. `focus`, in per cent from the left and the top, is what stays in view when a
 * shape cuts it; without it, the middle does. `hasAvif`: there are copies of each width as AVIF, too.
 */
export type Picture = {
  readonly address: string;
  readonly width: number;
  readonly height: number;
  readonly color: string | null;
  readonly widths: readonly number[];
  readonly hasAvif?: true;
  readonly focus?: readonly [left: number, top: number];
};
