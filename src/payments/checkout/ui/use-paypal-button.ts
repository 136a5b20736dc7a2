import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Approval, ButtonSetup, PayPalButton } from "./paypal-button.ts";

/** `opened` while PayPal's window is; `approved` from the person's approval on. */
export type PayPalState = "waiting" | "loading" | "ready" | "opened" | "approved" | "stopped";

const NOT_LOADED = "PayPal did not load. Please check your connection and try again. Nothing was charged.";

type Handlers = { readonly mayOpen: () => boolean; readonly onApproved: (approval: Approval) => void };

/**
 * PayPal's button in `place` once it `isWanted`, taken away on leaving, one at a time. Its code comes only then. `stopped`
 * comes with a `sentence`, and `tryAgain` sets the button up anew.
 */
export function usePayPalButton(
  place: RefObject<HTMLDivElement | null>,
  setup: ButtonSetup,
  isWanted: boolean,
  handlers: Handlers,
) {
  const button = useRef<PayPalButton | undefined>(undefined);
  const latest = useRef({ setup, handlers });
  latest.current = { setup, handlers };
  const [state, setState] = useState<PayPalState>("waiting");
  const [sentence, setSentence] = useState("");
  const [tries, setTries] = useState(0);
  const { scriptsUrl, amountCents, payee } = setup;

  const stop = useCallback((said: string) => {
    setSentence(said);
    setState("stopped");
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try opens anew, and so does another sum
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    setState("loading");
    import("./paypal-button.ts").then(
      ({ openPayPalButton }) => {
        if (isGone || place.current === null) return;
        button.current = openPayPalButton(place.current, latest.current.setup, {
          mayOpen: () => latest.current.handlers.mayOpen(),
          onReady: () => setState("ready"),
          onOpened: () => setState("opened"),
          onApproving: () => setState("approved"),
          onApproved: (approval) => latest.current.handlers.onApproved(approval),
          onStopped: stop,
        });
      },
      () => {
        if (!isGone) stop(NOT_LOADED);
      },
    );
    return () => {
      isGone = true;
      button.current?.close();
      button.current = undefined;
      setState("waiting");
    };
  }, [isWanted, place, scriptsUrl, amountCents, payee, tries, stop]);

  return { state, sentence, tryAgain: () => setTries((count) => count + 1) };
}
