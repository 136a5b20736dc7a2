import { useEffect, useState } from "react";
import type { Country } from "#shared/places/contract.ts";
import type { Countries } from "#shared/ui/form-place.tsx";
import { listCountries } from "#shared/ui/place-calls.ts";

/** All of them, fetched as the form appears. */
export function useCountries(): Countries {
  const [countries, setCountries] = useState<readonly Country[]>([]);
  const [hasFailed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks anew
  useEffect(() => {
    let isGone = false;
    setFailed(false);
    listCountries().then(
      (listed) => isGone || setCountries(listed),
      () => isGone || setFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, [tries]);
  return { countries, hasFailed, tryAgain: () => setTries(tries + 1) };
}
