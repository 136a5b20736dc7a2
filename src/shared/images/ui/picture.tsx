import type { Picture } from "../picture.ts";

type Props = {
  picture: Picture;
  /** What the picture shows; empty where the text beside it says the same. */
  alt: string;
  /** How wide it is shown, as `sizes` of an img says it: "(min-width: 40rem) 33vw, 100vw". */
  sizes: string;
  className?: string;
  /** For the picture that is in view when the page opens. */
  isEager?: boolean;
};

/** A content picture in the width and format that suit the screen; its colour and its room are there before it is. */
export function ContentPicture({ picture, alt, sizes, className, isEager = false }: Props) {
  const { address, width, height, color, widths } = picture;
  const haste = isEager
    ? ({ loading: "eager", fetchPriority: "high" } as const)
    : ({ loading: "lazy", decoding: "async" } as const);
  const shape = { width, height, ...haste };
  if (widths.length === 0) return <img {...shape} alt={alt} className={className} src={address} />;
  const list = (ending: "webp" | "jpg") => widths.map((each) => `${address}/${each}.${ending} ${each}w`).join(", ");
  return (
    <span className={className === undefined ? "picture" : `picture ${className}`}>
      {color !== null && (
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width="1" height="1" fill={color} />
        </svg>
      )}
      <picture>
        <source type="image/webp" srcSet={list("webp")} sizes={sizes} />
        <img {...shape} alt={alt} srcSet={list("jpg")} sizes={sizes} src={`${address}/${middle(widths)}.jpg`} />
      </picture>
    </span>
  );
}

/** For browsers that do not choose: neither a stamp nor more than a phone can bear. */
function middle(widths: readonly number[]): number {
  return widths.findLast((width) => width <= 960) ?? widths[0]!;
}
