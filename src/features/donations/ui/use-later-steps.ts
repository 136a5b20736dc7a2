import { type ComponentType, useEffect, useState } from "react";
import type { Charity } from "./bank-card.tsx";
import type { Donation } from "./use-donation.ts";

type Props = { donation: Donation; organisation: Charity; onProblems: (has: boolean) => void };
type Loaded = { readonly LaterSteps: ComponentType<Props> };

let loading: Promise<Loaded> | undefined;

/** The code of steps 2 to 5, fetched once; a failure is forgotten, so that the next try fetches again. */
export function loadLaterSteps(): Promise<Loaded> {
  loading ??= import("./later-steps.tsx").catch((cause) => {
    loading = undefined;
    throw cause;
  });
  // Loading ahead of need may fail silently: the step itself says so when it comes to that.
  loading.catch(() => {});
  return loading;
}

export function useLaterSteps() {
  const [loaded, setLoaded] = useState<Loaded>();
  const [tries, setTries] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads anew
  useEffect(() => {
    setHasFailed(false);
    loadLaterSteps().then(setLoaded, () => setHasFailed(true));
  }, [tries]);
  return { LaterSteps: loaded?.LaterSteps, hasFailed, tryAgain: () => setTries(tries + 1) };
}
