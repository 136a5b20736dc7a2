import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { formatDollars } from "#shared/language.ts";
import { ExplainedButton, PreviousButton } from "#shared/ui/form-actions.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import { useFocus } from "#shared/ui/use-focus.ts";
import { useTries } from "#shared/ui/use-load.tsx";
import type { PayProps } from "./pay-by-card.tsx";
import { findClientToken } from "./payment-calls.ts";
import type { ButtonSetup, PayPalApproval, PayPalButton } from "./paypal-button.ts";
import { RefusalMessage } from "./refusal-message.tsx";
import { payLabels } from "./words.ts";

/** PayPal's own button; the payer's approval pays (DON-14, DON-19). */
export function PayByPayPal({ pay, payment, captcha, ...props }: PayProps) {
  const { checkout, totalCents, payee, action, fault, missing, refusal, remedy, alternative, onBack } = props;
  const group = useRef<HTMLFieldSetElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const { isPaying, begin } = payment;
  const [approval, setApproval] = useState<PayPalApproval>();
  const setup = {
    scriptsUrl: checkout.paypal.scriptsUrl,
    amountCents: totalCents,
    payee: payee.name,
    findToken: findClientToken,
  };
  const isWanted = captcha.wasSolved && fault === undefined;
  const button = usePayPalButton(place, setup, isWanted, {
    mayOpen() {
      if (missing !== undefined) missing.show();
      else if (captcha.payload === undefined) captcha.reportMissing("pp");
      return missing === undefined && captcha.payload !== undefined;
    },
    onApproved: setApproval,
  });
  // The captcha may have expired while PayPal's window was open: then the approval waits for a new one.
  const payWith = useEffectEvent((payload: string, approved: PayPalApproval) => {
    if (!begin()) return;
    group.current?.focus();
    void pay(payload, { method: "pp", ...approved });
  });
  useEffect(() => {
    if (approval !== undefined && captcha.payload !== undefined) payWith(captcha.payload, approval);
  }, [approval, captcha.payload]);
  const tryAgain = () => {
    group.current?.focus();
    button.tryAgain();
  };
  return (
    <>
      <fieldset className="paypal" ref={group} tabIndex={-1}>
        <legend className="sr">PayPal</legend>
        <p>
          You approve {formatDollars(totalCents)} in PayPal’s window, and we then charge it to your PayPal account
          immediately.
        </p>
        {!isWanted && (
          <StandInButton fault={fault} missing={missing} onUnsolved={() => captcha.reportMissing("pp")}>
            {payLabels[action].paypal(formatDollars(totalCents))}
          </StandInButton>
        )}
        <div className="paypal-place" ref={place} />
        {isWanted && missing !== undefined && !isPaying && <p className="muted">{missing.text}</p>}
        <PayPalNote
          state={button.state}
          sentence={button.sentence}
          isPaying={isPaying}
          waitsForCaptcha={approval !== undefined && captcha.payload === undefined}
          onTryAgain={tryAgain}
        >
          {alternative}
        </PayPalNote>
      </fieldset>
      <RefusalMessage refusal={refusal} remedy={remedy} />
      {!isPaying && onBack !== undefined && (
        <div className="form-actions">
          <PreviousButton onClick={onBack} />
        </div>
      )}
      <p className="sr" role="status">
        {isPaying ? "Processing your payment" : statusOf[button.state]}
      </p>
    </>
  );
}

/** Stands where PayPal's button will be, and says what it waits for. */
function StandInButton({ fault, missing, onUnsolved, children }: StandInProps) {
  const press = () => {
    if (missing !== undefined) missing.show();
    else if (fault === undefined) onUnsolved();
  };
  return (
    <div className="form-actions">
      <ExplainedButton
        reasonId="pay-why"
        reason={fault ?? missing?.text ?? "Complete the verification above first."}
        className="btn btn-cta btn-lg"
        onClick={press}
      >
        <Icon name="lock" />
        <span>{children}</span>
      </ExplainedButton>
    </div>
  );
}

type StandInProps = Pick<PayProps, "fault" | "missing"> & {
  /** Pressed while only the captcha is unsolved. */
  readonly onUnsolved: () => void;
  readonly children: ReactNode;
};

const statusOf = {
  waiting: "",
  loading: "Loading PayPal",
  ready: "PayPal’s button is ready",
  opened: "PayPal’s window is open",
  approved: "",
  stopped: "",
} as const satisfies Record<PayPalState, string>;

function PayPalNote({ state, sentence, isPaying, waitsForCaptcha, onTryAgain, children }: PayPalNoteProps) {
  const button = useFocus<HTMLButtonElement>(state === "stopped" || undefined);
  if (isPaying || (state === "approved" && !waitsForCaptcha)) {
    return <p className="processing">Processing… Please don’t close this page.</p>;
  }
  if (waitsForCaptcha) {
    return (
      <p role="alert">
        You approved this payment at PayPal, but the verification above has expired. Please verify again and your
        payment continues automatically. Nothing has been charged yet.
      </p>
    );
  }
  if (state === "loading") return <p className="muted">Loading PayPal…</p>;
  if (state === "opened")
    return <p className="muted">Please continue in PayPal’s window. Nothing has been charged yet.</p>;
  if (state !== "stopped") return null;
  return (
    <div role="alert">
      <p>{sentence}</p>
      {children}
      <button type="button" className="btn btn-quiet" ref={button} onClick={onTryAgain}>
        Try again
      </button>
    </div>
  );
}

type PayPalNoteProps = {
  readonly state: PayPalState;
  readonly sentence: string;
  readonly isPaying: boolean;
  readonly waitsForCaptcha: boolean;
  readonly onTryAgain: () => void;
  /** How else to pay. */
  readonly children: ReactNode;
};

/** `opened` while PayPal's window is open; `approved` once the payer has approved. */
type PayPalState = "waiting" | "loading" | "ready" | "opened" | "approved" | "stopped";

const NOT_LOADED = "PayPal didn’t load. Please check your connection and try again. Nothing was charged.";

type Handlers = { readonly mayOpen: () => boolean; readonly onApproved: (approval: PayPalApproval) => void };

/**
 * PayPal's button in `place` once it `isWanted`; removed on leaving, one at a time, its code loaded only then.
 * `stopped` comes with a `sentence`; `tryAgain` sets the button up again.
 */
function usePayPalButton(
  place: RefObject<HTMLDivElement | null>,
  setup: ButtonSetup,
  isWanted: boolean,
  handlers: Handlers,
) {
  const [state, setState] = useState<PayPalState>("waiting");
  const [sentence, setSentence] = useState("");
  const { scriptsUrl, amountCents, payee } = setup;
  const mayOpen = useEffectEvent(handlers.mayOpen);
  const onApproved = useEffectEvent(handlers.onApproved);
  const stop = (message: string) => {
    setSentence(message);
    setState("stopped");
  };
  const { tryAgain } = useTries(isWanted ? `${scriptsUrl} ${amountCents} ${payee}` : undefined, () => {
    let isGone = false;
    let button: PayPalButton | undefined;
    setState("loading");
    import("./paypal-button.ts").then(
      ({ openPayPalButton }) => {
        if (isGone || place.current === null) return;
        button = openPayPalButton(place.current, setup, {
          mayOpen,
          onReady: () => setState("ready"),
          onOpened: () => setState("opened"),
          onApproving: () => setState("approved"),
          onApproved,
          onStopped: stop,
        });
      },
      () => {
        if (!isGone) stop(NOT_LOADED);
      },
    );
    return () => {
      isGone = true;
      button?.close();
      setState("waiting");
    };
  });
  return { state, sentence, tryAgain };
}
