import { type RefObject, useEffect, useState } from "react";

/** Whether an element was close to being seen, from then on. */
export function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || element.current === null) return;
    if (!("IntersectionObserver" in window)) return setNear(true);
    const watch = (entries: readonly IntersectionObserverEntry[]) =>
      entries.some(({ isIntersecting }) => isIntersecting) && setNear(true);
    const observer = new IntersectionObserver(watch, { rootMargin: "0px 0px 25%" });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isNear, element]);
  return isNear;
}
