import { useEffect, useState } from "react";
import type { Checkout } from "#payments/checkout/contract.ts";
import { findCheckout } from "./ticket-calls.ts";

/** What one can pay with now. `reload` asks again; what is known stays until then. */
export function useWaysToPay() {
  const [ways, setWays] = useState<Checkout>();
  const [hasFailed, setHasFailed] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks anew
  useEffect(() => {
    let isGone = false;
    setHasFailed(false);
    void findCheckout().then((answer) => {
      if (isGone) return;
      if (answer.ok) setWays(answer.data);
      else setHasFailed(true);
    });
    return () => {
      isGone = true;
    };
  }, [tries]);
  return { ways, hasFailed, reload: () => setTries((count) => count + 1) };
}
