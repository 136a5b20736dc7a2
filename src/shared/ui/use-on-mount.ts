import { type EffectCallback, useEffect, useEffectEvent } from "react";

/** Runs once, on hydration or when the component is shown. */
export function useOnMount(act: EffectCallback): void {
  const run = useEffectEvent(act);
  useEffect(() => run(), []);
}
