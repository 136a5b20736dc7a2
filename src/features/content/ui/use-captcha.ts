import { useRef, useState } from "react";
import type { CaptchaSetup } from "#shared/ui/captcha-box.tsx";
import type { Solve } from "./send-message.ts";

/** A challenge lives for twenty minutes; one that is older than this is not worth trying. */
const FRESH_MS = 15 * 60_000;

/**
 * The captcha of the contact page. ALTCHA's is solved out of sight, from the moment that somebody begins to write; with
 * any other provider the person solves it in a box, and `token` is what the box gave.
 */
export function useCaptcha({ provider, challengeUrl = "/api/captcha" }: CaptchaSetup) {
  const work = useRef<{ readonly begunAt: number; readonly payload: Promise<string> }>(undefined);
  const [token, setToken] = useState<string>();
  const [error, setError] = useState<string>();
  const [round, setRound] = useState(0);
  const isSeen = provider !== "altcha";

  const begin = (isAnew = false): Promise<string> => {
    const now = Date.now();
    if (!isAnew && work.current !== undefined && now - work.current.begunAt < FRESH_MS) return work.current.payload;
    const payload = import("#shared/ui/solve-captcha.ts").then(({ solveCaptcha }) =>
      solveCaptcha(`${challengeUrl}?action=contact`),
    );
    work.current = { begunAt: now, payload };
    // What failed is tried again when it is needed, and said then.
    payload.catch(() => {
      if (work.current?.payload === payload) work.current = undefined;
    });
    return payload;
  };
  const solve: Solve = async (isAnew) => (isSeen ? (isAnew ? undefined : token) : begin(isAnew));
  return {
    isSeen,
    error,
    /** Another one is another box. */
    round,
    isMissing: isSeen && token === undefined,
    setError,
    /** Begins the work while the person writes. */
    begin: () => void (isSeen || begin()),
    solve,
    /** A captcha pays for one message alone. */
    forget() {
      work.current = undefined;
      setToken(undefined);
      setRound((count) => count + 1);
    },
    events: {
      onSolved(solved: string) {
        setToken(solved);
        setError(undefined);
      },
      onExpired() {
        setToken(undefined);
        setError("The verification has expired. Please verify again.");
      },
      onError() {
        setToken(undefined);
        setError("The verification failed. Please try again.");
      },
    },
  };
}
