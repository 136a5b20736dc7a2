import "./captcha-box.css";
import { type ComponentType, useEffect, useRef, useState } from "react";
import { FieldError } from "#shared/ui/form-field.tsx";
import { trustedScript } from "#shared/ui/trusted-script.ts";
import type { CaptchaEvents } from "./altcha-box.tsx";

/** The captcha that the site is configured for, as the server tells the page. */
export type CaptchaSetup = {
  readonly provider: "altcha" | "turnstile" | "recaptcha" | "hcaptcha";
  readonly challengeUrl?: string | undefined;
  readonly siteKey?: string | undefined;
  readonly scriptUrl?: string | undefined;
};
/** From here on a phone takes several seconds. */
const LONG_EFFORT = 4;
type AltchaBox = ComponentType<{ challengeUrl: string } & CaptchaEvents>;

/** A captcha to be seen and solved, whichever the site is configured for; its code comes only when it is shown. */
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
          This takes longer than usual, because somebody is misusing this site: up to a minute, on an older phone a few
          minutes. Please keep this page open.
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
  /** How many times the work of an ordinary captcha it must be worth. */
  readonly effort?: number;
  /** What it is solved for. */
  readonly action: string;
  readonly error: string | undefined;
};

function Altcha({ challengeUrl, ...events }: { challengeUrl: string } & CaptchaEvents) {
  const [Box, setBox] = useState<AltchaBox>();
  const [tries, setTries] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads anew
  useEffect(() => {
    setHasFailed(false);
    import("./altcha-box.tsx").then(
      ({ AltchaBox }) => setBox(() => AltchaBox),
      () => setHasFailed(true),
    );
  }, [tries]);
  if (Box !== undefined) return <Box challengeUrl={challengeUrl} {...events} />;
  if (!hasFailed) return <p className="muted small">Loading the verification…</p>;
  return <NotLoaded onTryAgain={() => setTries(tries + 1)} />;
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

type Widget = {
  render(place: HTMLElement, options: Record<string, unknown>): string | number;
  remove?(id: string | number): void;
  reset?(id: string | number): void;
  ready?(then: () => void): void;
};

const globals = { turnstile: "turnstile", recaptcha: "grecaptcha", hcaptcha: "hcaptcha" } as const;

/** Turnstile, reCAPTCHA and hCaptcha: one shape of widget, drawn by the provider's own script. */
function ScriptedCaptcha({ captcha, action, ...events }: { captcha: CaptchaSetup; action: string } & CaptchaEvents) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(events);
  latest.current = events;
  const [tries, setTries] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  const { provider, scriptUrl, siteKey } = captcha;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try draws anew
  useEffect(() => {
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
          callback: (token: string) => latest.current.onSolved(token),
          "expired-callback": () => latest.current.onExpired(),
          "error-callback": () => latest.current.onError(),
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
  }, [provider, scriptUrl, siteKey, action, tries]);
  return (
    <>
      <div className="captcha-widget" ref={place} />
      {hasFailed && <NotLoaded onTryAgain={() => setTries(tries + 1)} />}
    </>
  );
}

function loadWidget(scriptUrl: string, name: string): Promise<Widget> {
  const find = () => (window as unknown as Record<string, Widget | undefined>)[name];
  const whenReady = (resolve: (widget: Widget) => void, reject: (cause: Error) => void) => {
    const widget = find();
    if (widget === undefined) reject(new Error(`${name} is not there`));
    // reCAPTCHA's script only announces itself; Turnstile's `ready` refuses scripts that were added later.
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
