import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { type CardFrame, openCardFrame } from "./card-frame.ts";

const AFTER_CAPTCHA_MS = 100;

export type FrameState = "waiting" | "loading" | "ready" | "failed";

export type CardFrameSetup = {
  readonly scriptUrl: string;
  readonly publishableKey: string;
  readonly asksBank: boolean;
};

/** The card frame in `place`: opened 100 ms after `isWanted` (DON-14), taken away on leaving, one at a time. */
export function useCardFrame(place: RefObject<HTMLDivElement | null>, payway: CardFrameSetup, isWanted: boolean) {
  const { scriptUrl, publishableKey, asksBank } = payway;
  const frame = useRef<CardFrame | undefined>(undefined);
  const [state, setState] = useState<FrameState>("waiting");
  const [isValid, setValid] = useState(false);
  const [failure, setFailure] = useState("");
  const [tries, setTries] = useState(0);

  const close = useCallback(() => {
    frame.current?.close();
    frame.current = undefined;
    setValid(false);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try opens anew
  useEffect(() => {
    if (!isWanted) return;
    setState("loading");
    const timer = setTimeout(() => {
      if (place.current === null) return;
      frame.current = openCardFrame({
        place: place.current,
        scriptUrl,
        publishableKey,
        asksBank,
        onReady: () => setState("ready"),
        onFailed: (sentence) => {
          setFailure(sentence);
          setState("failed");
        },
        onValidity: setValid,
      });
    }, AFTER_CAPTCHA_MS);
    return () => {
      clearTimeout(timer);
      close();
    };
  }, [isWanted, place, scriptUrl, publishableKey, asksBank, tries, close]);

  const getToken = () => frame.current?.getToken() ?? Promise.reject(new Error("The card form is not open."));
  return { state, isValid, failure, close, getToken, tryAgain: () => setTries((count) => count + 1) };
}
