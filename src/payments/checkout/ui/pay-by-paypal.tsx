import { useEffect, useRef, useState } from "react";
import { formatDollars } from "#shared/money.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { PayProps } from "./pay-by-card.tsx";
import { findClientToken } from "./payment-calls.ts";
import { RefusalMessage } from "./refusal-message.tsx";
import { type PayPalState, usePayPalButton } from "./use-paypal-button.ts";
import type { PayWords } from "./words.ts";

/** PayPal's own button, whose approval pays (DON-14, DON-19). */
export function PayByPayPal({ pay, payment, captcha, ...props }: PayProps) {
  const { checkout, totalCents, payee, words, fault, missing, refusal, remedy, onBack } = props;
  const group = useRef<HTMLFieldSetElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const { isPaying, begin } = payment;
  const [approval, setApproval] = useState<{ nonce: string; type: string }>();
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
      else if (captcha.payload === undefined) captcha.sayMissing("pp");
      return missing === undefined && captcha.payload !== undefined;
    },
    onApproved: setApproval,
  });
  // The captcha may have expired while PayPal's window was open: what was approved then waits for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an approval and a captcha together are the moment
  useEffect(() => {
    if (approval === undefined || captcha.payload === undefined || !begin()) return;
    group.current?.focus();
    void pay(captcha.payload, { method: "pp", ...approval });
  }, [approval, captcha.payload]);
  const tryAgain = () => {
    group.current?.focus();
    button.tryAgain();
  };
  const pressStandIn = () => {
    if (missing !== undefined) missing.show();
    else if (fault === undefined) captcha.sayMissing("pp");
  };
  return (
    <>
      <fieldset className="paypal" ref={group} tabIndex={-1}>
        <legend className="sr">PayPal</legend>
        <p>
          You approve {formatDollars(totalCents)} in PayPal's window, and your {words.noun} is then charged to PayPal at
          once.
        </p>
        {!isWanted && (
          <StandIn
            verb={words.verb}
            totalCents={totalCents}
            why={fault ?? missing?.says ?? "Complete the verification above first."}
            onPress={pressStandIn}
          />
        )}
        <div className="paypal-place" ref={place} />
        {isWanted && missing !== undefined && !isPaying && <p className="muted">{missing.says}</p>}
        <PayPalNote
          noun={words.noun}
          state={button.state}
          sentence={button.sentence}
          isPaying={isPaying}
          waitsForCaptcha={approval !== undefined && captcha.payload === undefined}
          onTryAgain={tryAgain}
        />
      </fieldset>
      <RefusalMessage refusal={refusal} remedy={remedy} />
      {!isPaying && onBack !== undefined && (
        <div className="form-actions">
          <button type="button" className="btn btn-quiet" onClick={onBack}>
            Previous
          </button>
        </div>
      )}
      <p className="sr" role="status">
        {isPaying ? `Processing your ${words.noun}` : statusOf[button.state]}
      </p>
    </>
  );
}

const statusOf = {
  waiting: "",
  loading: "Loading PayPal",
  ready: "PayPal's button is ready",
  opened: "PayPal's window is open",
  approved: "",
  stopped: "",
} as const satisfies Record<PayPalState, string>;

/** Where PayPal's button will be, until it may. */
function StandIn({ verb, totalCents, why, onPress }: StandInProps) {
  return (
    <div className="form-actions">
      <button
        type="button"
        className="btn btn-cta btn-lg"
        aria-disabled="true"
        aria-describedby="pay-why"
        onClick={onPress}
      >
        <Icon name="lock" />
        {verb} {formatDollars(totalCents)} with PayPal
      </button>
      <span className="why" id="pay-why">
        {why}
      </span>
    </div>
  );
}

type StandInProps = {
  readonly verb: PayWords["verb"];
  readonly totalCents: number;
  readonly why: string;
  readonly onPress: () => void;
};

function PayPalNote({ noun, state, sentence, isPaying, waitsForCaptcha, onTryAgain }: PayPalNoteProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state === "stopped") button.current?.focus();
  }, [state]);
  if (isPaying) return <p className="processing">Processing… Please wait, and do not close this page.</p>;
  if (waitsForCaptcha) {
    return (
      <p role="alert">
        You have approved this payment at PayPal, and the verification above has expired meanwhile. Please verify again:
        your {noun} then goes on by itself. Nothing has been charged yet.
      </p>
    );
  }
  if (state === "loading") return <p className="muted">Loading PayPal…</p>;
  if (state === "opened")
    return <p className="muted">Please go on in PayPal's window. Nothing has been charged yet.</p>;
  if (state === "approved") return <p className="processing">Processing… Please wait, and do not close this page.</p>;
  if (state !== "stopped") return null;
  return (
    <div role="alert">
      <p>{sentence}</p>
      <button type="button" className="btn btn-quiet" ref={button} onClick={onTryAgain}>
        Try again
      </button>
    </div>
  );
}

type PayPalNoteProps = {
  readonly noun: PayWords["noun"];
  readonly state: PayPalState;
  readonly sentence: string;
  readonly isPaying: boolean;
  readonly waitsForCaptcha: boolean;
  readonly onTryAgain: () => void;
};
