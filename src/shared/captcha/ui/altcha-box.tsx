import "altcha/external";
import "altcha/altcha.css";
import type {} from "altcha/types/global";
import pbkdf2Url from "altcha/workers/pbkdf2?worker&url";
import { useEffect, useEffectEvent, useRef } from "react";
import { trustedScript } from "#shared/ui/trusted-script.ts";

export type CaptchaEvents = {
  readonly onSolved: (payload: string) => void;
  readonly onExpired: () => void;
  readonly onError: () => void;
};

// The widget's other bundle has a blob worker and inline styles, which our policy refuses.
for (const hash of ["SHA-256", "SHA-384", "SHA-512"]) {
  globalThis.$altcha.algorithms.set(`PBKDF2/${hash}`, () => new Worker(trustedScript(pbkdf2Url)));
}

/** An old phone may take this long for the hardest. */
const SOLVED_WITHIN_MS = 300_000;

/** A challenge expires after twenty minutes on the server. Measured here, because the visitor's clock may be wrong. */
const EXPIRES_AFTER_MS = 19 * 60_000;

type StateChange = CustomEvent<{ readonly state: string; readonly payload?: string }>;

/** ALTCHA's checkbox: the browser works instead of the person solving a puzzle. A separate chunk: import lazily. */
export function AltchaBox({ challengeUrl, ...events }: { challengeUrl: string } & CaptchaEvents) {
  const place = useRef<HTMLDivElement>(null);
  const onChange = useEffectEvent(({ state, payload }: StateChange["detail"]) => {
    if (state === "verified" && payload) events.onSolved(payload);
    if (state === "expired") events.onExpired();
    if (state === "error") events.onError();
  });
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
      const { detail } = event as StateChange;
      const { state } = detail;
      clearTimeout(state === "verified" ? undefined : expiry);
      if (state === "verifying") expiry = setTimeout(() => widget.setState("expired"), EXPIRES_AFTER_MS);
      onChange(detail);
    });
    // Its box has the attribute `required`, so browsers would call it invalid before anybody has tried.
    widget.addEventListener("load", () => widget.querySelector("input")?.setAttribute("aria-invalid", "false"));
    place.current?.append(widget);
    return () => {
      clearTimeout(expiry);
      widget.remove();
    };
  }, [challengeUrl]);
  return <div className="captcha-widget" ref={place} />;
}
