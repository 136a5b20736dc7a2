import { type ComponentType, type RefObject, useEffect, useState } from "react";
import type { Organisation } from "#shared/organisation.ts";
import type { Payee } from "#shared/ui/pay/words.ts";
import type { BuyerForm } from "./use-buyer.ts";
import type { Checkout } from "./use-checkout.ts";

export type MainProps = {
  readonly checkout: Checkout;
  readonly buyer: BuyerForm;
  readonly organisation: Payee & Pick<Organisation, "registration">;
  readonly slug: string;
};
type Loaded = { readonly LaterPart: ComponentType<MainProps> };

let loading: Promise<Loaded> | undefined;

/** The code of paying and of what comes after, fetched once; a failure is forgotten, so that the next try fetches again. */
function loadLaterPart(): Promise<Loaded> {
  loading ??= import("./later-part.tsx").catch((cause) => {
    loading = undefined;
    throw cause;
  });
  return loading;
}

/** Fetched once it is wanted. */
export function useLaterPart(isWanted: boolean) {
  const [loaded, setLoaded] = useState<Loaded>();
  const [tries, setTries] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads anew
  useEffect(() => {
    if (!isWanted) return;
    setHasFailed(false);
    loadLaterPart().then(setLoaded, () => setHasFailed(true));
  }, [isWanted, tries]);
  return { LaterPart: loaded?.LaterPart, hasFailed, tryAgain: () => setTries(tries + 1) };
}

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
