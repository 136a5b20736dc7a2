import { useEffect, useRef, useState } from "react";
import { formatDollars } from "#shared/money.ts";
import { CaptchaBox } from "#shared/ui/captcha-box.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import { type PayPalState, usePayPalButton } from "#shared/ui/use-paypal-button.ts";
import type { PayProps } from "./pay-by-card.tsx";
import { payPalPayment } from "./payment-body.ts";
import { RefusalMessage } from "./refusal-message.tsx";
import { findClientToken } from "./send-payment.ts";
import { TrustBlock } from "./trust-block.tsx";
import { usePaying } from "./use-paying.ts";
import { usePaymentCaptcha } from "./use-payment-captcha.ts";

/** Captcha, then PayPal's own button, whose approval pays (DON-14, DON-19). A refused attempt is replaced by a new one. */
export function PayByPayPal({ donation, checkout, priced, fault, organisation, onRefused }: PayProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const { isPaying, isLocked, begin, pay } = usePaying({ donation, priced, onRefused });
  const captcha = usePaymentCaptcha(donation, isLocked);
  const [approval, setApproval] = useState<{ nonce: string; type: string }>();
  const setup = {
    scriptsUrl: checkout.paypal.scriptsUrl,
    amountCents: priced.totalCents,
    payee: organisation.name,
    findToken: findClientToken,
  };
  const isWanted = captcha.wasSolved && fault === undefined;
  const button = usePayPalButton(place, setup, isWanted, {
    mayOpen() {
      if (captcha.payload === undefined) captcha.sayMissing("pp");
      return captcha.payload !== undefined;
    },
    onApproved: setApproval,
  });
  // The captcha may have expired while PayPal's window was open: what was approved then waits for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an approval and a captcha together are the moment
  useEffect(() => {
    if (approval === undefined || captcha.payload === undefined || !begin()) return;
    group.current?.focus();
    void pay(captcha.payload, (parts) => payPalPayment(parts, approval));
  }, [approval, captcha.payload]);
  const tryAgain = () => {
    group.current?.focus();
    button.tryAgain();
  };
  const say = isPaying ? "Processing your donation" : statusOf[button.state];
  return (
    <section className="block" aria-labelledby="pay-heading">
      <h2 id="pay-heading">Pay with PayPal</h2>
      <CaptchaBox captcha={checkout.captcha} action="donate" {...captcha.box} />
      <fieldset className="paypal" ref={group} tabIndex={-1}>
        <legend className="sr">PayPal</legend>
        <p>
          You approve {formatDollars(priced.totalCents)} in PayPal's window, and your donation is then charged to PayPal
          at once.
        </p>
        {!isWanted && (
          <StandIn
            totalCents={priced.totalCents}
            why={fault ?? "Complete the verification above first."}
            onPress={() => fault === undefined && captcha.sayMissing("pp")}
          />
        )}
        <div className="paypal-place" ref={place} />
        <PayPalNote
          state={button.state}
          sentence={button.sentence}
          isPaying={isPaying}
          waitsForCaptcha={approval !== undefined && captcha.payload === undefined}
          onTryAgain={tryAgain}
        />
      </fieldset>
      <RefusalMessage donation={donation} />
      {!isPaying && (
        <div className="form-actions">
          <button type="button" className="btn btn-quiet" onClick={donation.goBack}>
            Previous
          </button>
        </div>
      )}
      <p className="sr" role="status">
        {say}
      </p>
      <TrustBlock organisation={organisation} method="pp" />
    </section>
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
function StandIn({ totalCents, why, onPress }: { totalCents: number; why: string; onPress: () => void }) {
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
        Donate {formatDollars(totalCents)} with PayPal
      </button>
      <span className="why" id="pay-why">
        {why}
      </span>
    </div>
  );
}

function PayPalNote({ state, sentence, isPaying, waitsForCaptcha, onTryAgain }: PayPalNoteProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state === "stopped") button.current?.focus();
  }, [state]);
  if (isPaying) return <p className="processing">Processing… Please wait, and do not close this page.</p>;
  if (waitsForCaptcha) {
    return (
      <p role="alert">
        You have approved this payment at PayPal, and the verification above has expired meanwhile. Please verify again:
        your donation then goes on by itself. Nothing has been charged yet.
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
  readonly state: PayPalState;
  readonly sentence: string;
  readonly isPaying: boolean;
  readonly waitsForCaptcha: boolean;
  readonly onTryAgain: () => void;
};
