import "./captcha-box.css";
import { useEffectEvent, useRef, useState } from "react";
import { FieldError } from "#shared/ui/form-field.tsx";
import { trustedScript } from "#shared/ui/trusted-script.ts";
import { useLoad, useTries } from "#shared/ui/use-load.tsx";
import type { CaptchaEvents } from "./altcha-box.tsx";

/** The configured captcha, as the server describes it to the page. */
export type CaptchaSetup = {
  readonly provider: "altcha" | "turnstile" | "recaptcha" | "hcaptcha";
  readonly challengeUrl?: string | undefined;
  readonly siteKey?: string | undefined;
  readonly scriptUrl?: string | undefined;
};
export type CaptchaReads = { readonly captcha: CaptchaSetup };
/** From this effort on, a phone takes several seconds. */
const LONG_EFFORT = 4;

/** The visible captcha of any provider; its code loads when it is shown. */
export function CaptchaBox({ captcha, effort = 1, action, error, ...events }: CaptchaBoxProps) {
  const query = `?action=${action}${effort > 1 ? `&effort=${effort}` : ""}`;
  return (
    <fieldset
      className={error === undefined ? "captcha" : "captcha has-error"}
      aria-describedby={error === undefined ? undefined : "captcha-error"}
      id="captcha"
      tabIndex={-1}
    >
      <legend className="legend">Verification</legend>
      <FieldError id="captcha" error={error} />
      {effort >= LONG_EFFORT && captcha.provider === "altcha" && (
        <p className="hint">
          This takes longer than usual, because someone is misusing this site: up to a minute, or a few minutes on an
          older phone. Please keep this page open.
        </p>
      )}
      {captcha.provider === "altcha" ? (
        <Altcha challengeUrl={`${captcha.challengeUrl ?? "/api/captcha"}${query}`} {...events} />
      ) : (
        <ScriptedCaptcha captcha={captcha} action={action} {...events} />
      )}
    </fieldset>
  );
}

type CaptchaBoxProps = CaptchaEvents & {
  readonly captcha: CaptchaSetup;
  /** Multiple of an ordinary captcha's work. */
  readonly effort?: number;
  readonly action: string;
  readonly error: string | undefined;
};

function Altcha({ challengeUrl, ...events }: { challengeUrl: string } & CaptchaEvents) {
  const { data: box, error, reload } = useLoad(() => import("./altcha-box.tsx"));
  if (box !== undefined) return <box.AltchaBox challengeUrl={challengeUrl} {...events} />;
  if (error === undefined) return <p className="muted small">Loading the verification…</p>;
  return <NotLoaded onTryAgain={reload} />;
}

function NotLoaded({ onTryAgain }: { onTryAgain: () => void }) {
  return (
    <p role="alert">
      The verification did not load.{" "}
      <button type="button" className="link-btn" onClick={onTryAgain}>
        Try again
      </button>
    </p>
  );
}

declare global {
  interface Window {
    turnstile?: Widget;
    grecaptcha?: Widget;
    hcaptcha?: Widget;
  }
}
type Widget = {
  render(place: HTMLElement, options: Record<string, unknown>): string | number;
  remove?(id: string | number): void;
  reset?(id: string | number): void;
  ready?(then: () => void): void;
};

const globals = { turnstile: "turnstile", recaptcha: "grecaptcha", hcaptcha: "hcaptcha" } as const;

/** Turnstile, reCAPTCHA and hCaptcha have the same kind of widget, drawn by the provider's script. */
function ScriptedCaptcha({ captcha, action, ...events }: { captcha: CaptchaSetup; action: string } & CaptchaEvents) {
  const place = useRef<HTMLDivElement>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const { provider, scriptUrl, siteKey } = captcha;
  const onSolved = useEffectEvent(events.onSolved);
  const onExpired = useEffectEvent(events.onExpired);
  const onError = useEffectEvent(events.onError);
  const { tryAgain } = useTries(`${provider} ${scriptUrl} ${siteKey} ${action}`, () => {
    if (provider === "altcha" || scriptUrl === undefined) return;
    setHasFailed(false);
    let isGone = false;
    let clear = () => {};
    loadWidget(scriptUrl, globals[provider]).then(
      (widget) => {
        if (isGone || place.current === null) return;
        const spot = place.current.appendChild(document.createElement("div"));
        const id = widget.render(spot, {
          sitekey: siteKey,
          action,
          callback: (token: string) => onSolved(token),
          "expired-callback": () => onExpired(),
          "error-callback": () => onError(),
        });
        clear = () => {
          if (widget.remove === undefined) widget.reset?.(id);
          else widget.remove(id);
          spot.remove();
        };
      },
      () => setHasFailed(true),
    );
    return () => {
      isGone = true;
      clear();
    };
  });
  return (
    <>
      <div className="captcha-widget" ref={place} />
      {hasFailed && <NotLoaded onTryAgain={tryAgain} />}
    </>
  );
}

function loadWidget(scriptUrl: string, name: (typeof globals)[keyof typeof globals]): Promise<Widget> {
  const find = () => window[name];
  const whenReady = (resolve: (widget: Widget) => void, reject: (cause: Error) => void) => {
    const widget = find();
    if (widget === undefined) reject(new Error(`${name} is not there`));
    // reCAPTCHA's script must be waited for; Turnstile's `ready` refuses scripts that were added later.
    else if (name === "grecaptcha" && widget.ready !== undefined) widget.ready(() => resolve(widget));
    else resolve(widget);
  };
  return new Promise((resolve, reject) => {
    if (find() !== undefined) return whenReady(resolve, reject);
    const script = document.createElement("script");
    script.src = trustedScript(scriptUrl);
    script.onload = () => whenReady(resolve, reject);
    script.onerror = () => {
      script.remove();
      reject(new Error(`${name} did not load`));
    };
    document.head.append(script);
  });
}
