import { useEffect, useState } from "react";
import type { Country } from "#shared/places/contract.ts";
import type { Countries } from "#shared/ui/form-place.tsx";

/** All of them, fetched once they are wanted. */
export function useCountries(isWanted: boolean): Countries {
  const [countries, setCountries] = useState<readonly Country[]>([]);
  const [hasFailed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks anew
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    setFailed(false);
    import("#shared/ui/place-calls.ts")
      .then(({ listCountries }) => listCountries())
      .then(
        (listed) => isGone || setCountries(listed),
        () => isGone || setFailed(true),
      );
    return () => {
      isGone = true;
    };
  }, [isWanted, tries]);
  return { countries, hasFailed, tryAgain: () => setTries(tries + 1) };
}
