import { useEffectEvent, useLayoutEffect, useRef } from "react";

/**
 * For an element that takes focus when it appears, and whenever `news` changes; undefined: no focus. Focus moves
 * together with the change, because the focused element may have disappeared, and nobody should type into a field that
 * is about to lose focus.
 */
export function useFocus<Shown extends HTMLElement>(news: unknown) {
  const shown = useRef<Shown>(null);
  useLayoutEffect(() => {
    if (news !== undefined) shown.current?.focus();
  }, [news]);
  return shown;
}

/** For an element that takes focus when `place` changes, unless `takesFocus` is false; not for the first place. */
export function usePlaceHeading<Shown extends HTMLElement = HTMLHeadingElement>(
  place: string | undefined,
  takesFocus: boolean,
) {
  const heading = useRef<Shown>(null);
  const seen = useRef(place);
  const arrive = useEffectEvent((at: string | undefined) => {
    if (seen.current !== undefined && seen.current !== at && takesFocus) heading.current?.focus();
    seen.current = at;
  });
  useLayoutEffect(() => arrive(place), [place]);
  return heading;
}
