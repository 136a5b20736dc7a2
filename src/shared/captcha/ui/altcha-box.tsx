import "altcha/external";
import "altcha/altcha.css";
import type {} from "altcha/types/global";
import pbkdf2Url from "altcha/workers/pbkdf2?worker&url";
import { useEffect, useRef } from "react";
import { trustedScript } from "#shared/ui/trusted-script.ts";

export type CaptchaEvents = {
  readonly onSolved: (payload: string) => void;
  readonly onExpired: () => void;
  readonly onError: () => void;
};

// The widget's other bundle brings its worker as a blob and its style inline, which our policy refuses.
for (const hash of ["SHA-256", "SHA-384", "SHA-512"]) {
  globalThis.$altcha.algorithms.set(`PBKDF2/${hash}`, () => new Worker(trustedScript(pbkdf2Url)));
}

/** An old phone takes so long for the dearest. */
const SOLVED_WITHIN_MS = 300_000;

/** A challenge lives for twenty minutes on the server. The visitor's clock may be wrong, so the time is measured here. */
const EXPIRES_AFTER_MS = 19 * 60_000;

type StateChange = CustomEvent<{ readonly state: string; readonly payload?: string }>;

/** ALTCHA's checkbox: the browser does a piece of work instead of the person reading a puzzle. Own chunk: import lazily. */
export function AltchaBox({ challengeUrl, ...events }: { challengeUrl: string } & CaptchaEvents) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(events);
  latest.current = events;
  useEffect(() => {
    const widget = document.createElement("altcha-widget");
    widget.setAttribute("challenge", challengeUrl);
    widget.setAttribute("language", "en");
    widget.setAttribute(
      "configuration",
      JSON.stringify({ hideFooter: true, humanInteractionSignature: false, timeout: SOLVED_WITHIN_MS }),
    );
    let expiry: ReturnType<typeof setTimeout> | undefined;
    widget.addEventListener("statechange", (event) => {
      const { state, payload } = (event as StateChange).detail;
      clearTimeout(state === "verified" ? undefined : expiry);
      if (state === "verifying") expiry = setTimeout(() => widget.setState("expired"), EXPIRES_AFTER_MS);
      if (state === "verified" && payload) latest.current.onSolved(payload);
      if (state === "expired") latest.current.onExpired();
      if (state === "error") latest.current.onError();
    });
    place.current?.append(widget);
    return () => {
      clearTimeout(expiry);
      widget.remove();
    };
  }, [challengeUrl]);
  return <div className="captcha-widget" ref={place} />;
}
