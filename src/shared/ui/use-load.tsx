import { type ReactNode, useCallback, useEffect, useEffectEvent, useState } from "react";

/** Runs `begin` on mount and its result on unmount; again when `of` changes or on `tryAgain`. Never without `of`. */
export function useTries(of: string | undefined, begin: (tries: number) => (() => void) | undefined) {
  const [tries, setTries] = useState(0);
  const start = useEffectEvent(begin);
  useEffect(() => (of === undefined ? undefined : start(tries)), [of, tries]);
  return { tries, tryAgain: useCallback(() => setTries((count) => count + 1), []) };
}

type Options<Loaded> = {
  /** Identifies what is loaded: when it changes, the old data is no longer shown. */
  readonly of?: string;
  readonly isWanted?: boolean;
  /** Data available before loading. */
  readonly known?: Loaded | undefined;
};

/** Loads data once it is wanted. `reload` loads it again and keeps the old data until then, even if it fails. */
export function useLoad<Loaded>(load: () => Promise<Loaded>, options: Options<Loaded> = {}) {
  const { of = "", isWanted = true, known } = options;
  type Result = { of: string; tries: number; data: Loaded | undefined; error?: Error };
  const [result, setResult] = useState<Result>({ of, tries: 0, data: known });
  const { tries, tryAgain: reload } = useTries(isWanted ? of : undefined, (tries) => {
    let isGone = false;
    load().then(
      (data) => isGone || setResult({ of, tries, data }),
      (error) => isGone || setResult((last) => ({ of, tries, data: last.of === of ? last.data : undefined, error })),
    );
    return () => {
      isGone = true;
    };
  });
  const { data, error } = result.of === of ? result : {};
  return { data, error: result.tries === tries ? error : undefined, reload };
}

/** Code loaded on demand: fetched once, and again after a failure; `known` once it has loaded. */
export function lazyPart<Part>(fetchPart: () => Promise<Part>) {
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
      // Preloading may fail silently: the step itself reports the error when it needs the code.
      loading.catch(() => {});
      return loading;
    },
  };
}

type NotLoadedProps = {
  readonly hasFailed: boolean;
  readonly text: string;
  readonly onTryAgain: () => void;
  /** Shown while loading. */
  readonly children: ReactNode;
};

/** A placeholder while something loads; after a failure, it offers to try again. */
export function NotLoaded({ hasFailed, text, onTryAgain, children }: NotLoadedProps) {
  if (!hasFailed) return children;
  return (
    <div role="alert">
      <p>{text}</p>
      <div className="form-actions">
        <button type="button" className="btn" onClick={onTryAgain}>
          Try again
        </button>
      </div>
    </div>
  );
}
