import { useRef, useState } from "react";
import type { CaptchaSetup } from "./captcha-box.tsx";

/** A challenge lives for twenty minutes; one that is older than this is not worth trying. */
const FRESH_MS = 15 * 60_000;

/**
 * Solves a captcha; anew when the last one was refused, and then one of the effort that was asked for. Nothing comes back
 * where only the person can solve it.
 */
export type Solve = (isAnew: boolean, effort?: number) => Promise<string | undefined>;

/**
 * The captcha of a form that is not a payment. ALTCHA's is solved out of sight, from the moment that somebody begins to fill it in; with
 * any other provider the person solves it in a box, and `token` is what the box gave.
 */
export function useCaptcha(
  { provider, challengeUrl = "/api/captcha" }: CaptchaSetup,
  action: "contact" | "register" | "volunteer",
) {
  const work = useRef<{ readonly begunAt: number; readonly payload: Promise<string> }>(undefined);
  const [token, setToken] = useState<string>();
  const [error, setError] = useState<string>();
  const [round, setRound] = useState(0);
  const isSeen = provider !== "altcha";

  const begin = (isAnew = false, effort?: number): Promise<string> => {
    const now = Date.now();
    if (!isAnew && work.current !== undefined && now - work.current.begunAt < FRESH_MS) return work.current.payload;
    const payload = import("./solve-captcha.ts").then(({ solveCaptcha }) =>
      solveCaptcha(`${challengeUrl}?action=${action}${effort === undefined ? "" : `&effort=${effort}`}`),
    );
    work.current = { begunAt: now, payload };
    // What failed is tried again when it is needed, and said then.
    payload.catch(() => {
      if (work.current?.payload === payload) work.current = undefined;
    });
    return payload;
  };
  const solve: Solve = async (isAnew, effort) => (isSeen ? (isAnew ? undefined : token) : begin(isAnew, effort));
  return {
    isSeen,
    error,
    /** Another one is another box. */
    round,
    isMissing: isSeen && token === undefined,
    setError,
    /** Begins the work while the person types. */
    begin: () => void (isSeen || begin()),
    solve,
    /** A captcha pays for one thing alone. */
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
