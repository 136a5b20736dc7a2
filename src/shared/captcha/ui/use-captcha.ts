import { useRef, useState } from "react";
import type { CaptchaSetup } from "./captcha-box.tsx";

/** A challenge expires after twenty minutes; an older one than this is not worth trying. */
const FRESH_MS = 15 * 60_000;

/** Solves a captcha, or another of the required effort after a refusal. Undefined if only the person can solve it. */
export type Solve = (isRetry: boolean, effort?: number) => Promise<string | undefined>;

/**
 * The captcha of a form without a payment. ALTCHA's is solved invisibly while the form is being filled in. With any
 * other provider the person solves it in a box, which gives `token`.
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

  const begin = (isRetry = false, effort?: number): Promise<string> => {
    const now = Date.now();
    if (!isRetry && work.current !== undefined && now - work.current.begunAt < FRESH_MS) return work.current.payload;
    const payload = import("./solve-captcha.ts").then(({ solveCaptcha }) =>
      solveCaptcha(`${challengeUrl}?action=${action}${effort === undefined ? "" : `&effort=${effort}`}`),
    );
    work.current = { begunAt: now, payload };
    // A failure is retried and reported when the captcha is needed.
    payload.catch(() => {
      if (work.current?.payload === payload) work.current = undefined;
    });
    return payload;
  };
  const solve: Solve = async (isRetry, effort) => (isSeen ? (isRetry ? undefined : token) : begin(isRetry, effort));
  return {
    isSeen,
    error,
    /** Changes with each captcha, so that its box is new. */
    round,
    isMissing: isSeen && token === undefined,
    setError,
    /** Starts solving while the person types. */
    begin: () => void (isSeen || begin()),
    solve,
    /** A captcha is valid for one submission only. */
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
