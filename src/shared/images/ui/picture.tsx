import type { Picture } from "../picture.ts";

/**
 * For `sizes`: a picture from margin to margin of a phone. A little less than it is, so that phones 360 pixels wide at
 * double density, and 412 at 1.75, load the one of 640 pixels (PAGE-12): the next has almost twice the bytes.
 */
export const acrossPhone = "calc(100vw - 3rem)";

/** For `sizes`: a card in a grid of two columns, or three on a wide screen. */
export const inCard = `(min-width: 1025px) 25rem, (min-width: 641px) 50vw, ${acrossPhone}`;

type Props = {
  picture: Picture;
  /** Empty if the text beside it says the same. */
  alt: string;
  /** The `sizes` of the img: `(min-width: 40rem) 33vw, ${acrossPhone}`. */
  sizes: string;
  className?: string;
  /** For a picture in view when the page opens. */
  isEager?: boolean;
};

/** A content picture in a suitable width and format; its colour and space are there before it loads. */
export function ContentPicture({ picture, alt, sizes, className, isEager = false }: Props) {
  const { address, width, height, color, widths, hasAvif, focus } = picture;
  // Drawn with the rest of the first screen if it has come by then.
  const haste = isEager
    ? ({ loading: "eager", fetchPriority: "high", decoding: "sync" } as const)
    : ({ loading: "lazy", decoding: "async" } as const);
  const shape = { width, height, ...haste };
  if (widths.length === 0) return <img {...shape} alt={alt} className={className} src={address} />;
  const list = (ending: "avif" | "webp" | "jpg") =>
    widths.map((each) => `${address}/${each}.${ending} ${each}w`).join(", ");
  return (
    <span className={["picture", className, focus && focusClasses(focus)].filter(Boolean).join(" ")}>
      {color !== null && (
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width="1" height="1" fill={color} />
        </svg>
      )}
      <picture>
        {hasAvif && <source type="image/avif" srcSet={list("avif")} sizes={sizes} />}
        <source type="image/webp" srcSet={list("webp")} sizes={sizes} />
        <img {...shape} alt={alt} srcSet={list("jpg")} sizes={sizes} src={`${address}/${middle(widths)}.jpg`} />
      </picture>
    </span>
  );
}

/** The classes that keep this point in view, to the nearest tenth: pages may not have styles of their own. */
function focusClasses([left, top]: readonly [left: number, top: number]): string {
  return `has-focus fx-${Math.round(left / 10)} fy-${Math.round(top / 10)}`;
}

/** The fallback for browsers without `srcset`: large enough to see, small enough for a phone. */
function middle(widths: readonly number[]): number {
  return widths.findLast((width) => width <= 960) ?? widths[0]!;
}
