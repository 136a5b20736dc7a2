import { type ComponentType, useEffect, useState } from "react";
import type { ApplicationForm } from "./use-application.ts";
import type { Reached } from "./ways.tsx";

export type LaterStepsProps = { readonly form: ApplicationForm; readonly organisation: Reached };
type Loaded = {
  readonly LaterSteps: ComponentType<LaterStepsProps>;
  readonly RestoredNote: ComponentType<{ onClear: () => void }>;
};

let loading: Promise<Loaded> | undefined;
/** There already when a step is come to, so that it is drawn at once. */
let known: Loaded | undefined;

/** The code of steps 2 to 4, fetched once; a failure is forgotten, so that the next try fetches again. */
export function loadLaterSteps(): Promise<Loaded> {
  loading ??= import("./later-steps.tsx").then(
    (loaded) => {
      known = loaded;
      return loaded;
    },
    (cause) => {
      loading = undefined;
      throw cause;
    },
  );
  // Loading ahead of need may fail silently: the step itself says so when it comes to that.
  loading.catch(() => {});
  return loading;
}

export function useLaterSteps() {
  const [loaded, setLoaded] = useState(known);
  const [tries, setTries] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads anew
  useEffect(() => {
    setHasFailed(false);
    loadLaterSteps().then(setLoaded, () => setHasFailed(true));
  }, [tries]);
  return { ...loaded, hasFailed, tryAgain: () => setTries(tries + 1) };
}
