import type { ReactNode } from "react";

type ScrollRegionProps = { readonly label: string; readonly className: string; readonly children?: ReactNode };

/** A part of a page with its own scrolling. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
