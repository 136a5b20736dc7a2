import { useEffect, useState } from "react";

/** A part of a page's code that comes later. */
export type Later<Part> = {
  /** Fetches it once; a failure is forgotten, so that the next try fetches again. */
  readonly load: () => Promise<Part>;
  /** The part, once it is there, so that it is drawn at once. */
  readonly known: () => Part | undefined;
};

export function fetchLater<Part>(fetchPart: () => Promise<Part>): Later<Part> {
  let loading: Promise<Part> | undefined;
  let known: Part | undefined;
  return {
    known: () => known,
    load() {
      loading ??= fetchPart().then(
        (part) => {
          known = part;
          return part;
        },
        (cause) => {
          loading = undefined;
          throw cause;
        },
      );
      // Loading ahead of need may fail silently: the step itself says so when it comes to that.
      loading.catch(() => {});
      return loading;
    },
  };
}

/** The part as soon as it is there, fetched once it is wanted. */
export function useLater<Part>({ load, known }: Later<Part>, isWanted = true) {
  const [part, setPart] = useState(known);
  const [tries, setTries] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads anew
  useEffect(() => {
    if (!isWanted) return;
    setHasFailed(false);
    load().then(
      (loaded) => setPart(() => loaded),
      () => setHasFailed(true),
    );
  }, [isWanted, tries]);
  return { part, hasFailed, tryAgain: () => setTries(tries + 1) };
}

/** Says what did not load, and offers to try again. */
export function NotLoaded({ says, onTryAgain }: { readonly says: string; readonly onTryAgain: () => void }) {
  return (
    <div role="alert">
      <p>{says}</p>
      <div className="form-actions">
        <button type="button" className="btn" onClick={onTryAgain}>
          Try again
        </button>
      </div>
    </div>
  );
}
