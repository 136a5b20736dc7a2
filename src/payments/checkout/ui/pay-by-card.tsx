import { type ReactNode, type RefObject, useRef, useState } from "react";
import { formatDollars } from "#shared/language.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import { ExplainedButton, PreviousButton } from "#shared/ui/form-actions.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import { useFocus } from "#shared/ui/use-focus.ts";
import { useTries } from "#shared/ui/use-load.tsx";
import type { Checkout } from "../contract.ts";
import { type CardFrame, openCardFrame } from "./card-frame.ts";
import type { PaymentRefusal } from "./outcome.ts";
import { RefusalMessage } from "./refusal-message.tsx";
import type { OnePayment } from "./use-one-payment.ts";
import type { PaymentCaptcha } from "./use-payment-captcha.ts";
import { type Payee, type PaymentAction, payLabels } from "./words.ts";

/** What is charged: the card frame's single-use token, or the nonce of an approval at PayPal. */
export type Instrument =
  | { readonly method: "cc"; readonly token: string }
  | { readonly method: "pp"; readonly nonce: string; readonly type: string };

/** What must be filled in before paying, as a sentence, and how to lead the payer there. */
export type Missing = { readonly text: string; readonly show: () => void };

/** The card frame and the one button that pays. */
export function PayByCard({ pay, payment, captcha, ...props }: PayProps) {
  const { checkout, totalCents, action, fault, missing, refusal, remedy, alternative, onBack } = props;
  const group = useRef<HTMLFieldSetElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const { isPaying, begin, giveUp } = payment;
  const [tokenError, setTokenError] = useState<string>();
  const frame = useCardFrame(place, checkout.payway, captcha.wasSolved);
  const why = whyNot({
    isPaying,
    hasCaptcha: captcha.payload !== undefined,
    state: frame.state,
    isValid: frame.isValid,
    fault: fault ?? missing?.text,
  });

  const payNow = async () => {
    if (missing !== undefined && !isPaying) return missing.show();
    if (captcha.payload === undefined && !isPaying) captcha.reportMissing("cc");
    if (why !== undefined || captcha.payload === undefined || !begin()) return;
    setTokenError(undefined);
    const token = await whileLoading(frame.getToken()).catch((error: Error) => {
      setTokenError(error.message);
      return undefined;
    });
    if (token === undefined) return giveUp();
    frame.close();
    await pay(captcha.payload, { method: "cc", token });
  };

  const tryAgain = () => {
    group.current?.focus();
    frame.tryAgain();
  };
  return (
    <>
      <fieldset
        className={frame.state === "waiting" ? "card-frame is-waiting" : "card-frame"}
        ref={group}
        tabIndex={-1}
      >
        <legend className="sr">Card details, provided by PayWay</legend>
        <div ref={place} />
        <FrameNote state={frame.state} isPaying={isPaying} failure={frame.failure} onTryAgain={tryAgain}>
          {alternative}
        </FrameNote>
      </fieldset>
      <RefusalMessage refusal={refusal} remedy={remedy} tokenError={tokenError} />
      <div className="form-actions">
        {!isPaying && onBack !== undefined && <PreviousButton onClick={onBack} />}
        <ExplainedButton reasonId="pay-why" reason={why} className="btn btn-cta btn-lg" onClick={payNow}>
          <Icon name="lock" />
          <span>{isPaying ? "Processing…" : payLabels[action].card(formatDollars(totalCents))}</span>
        </ExplainedButton>
      </div>
      <p className="sr" role="status">
        {isPaying ? "Processing your payment" : ""}
      </p>
    </>
  );
}

export type PayProps = {
  readonly checkout: Checkout;
  readonly totalCents: number;
  readonly payee: Payee;
  readonly action: PaymentAction;
  readonly fault: string | undefined;
  readonly missing?: Missing | undefined;
  readonly refusal: PaymentRefusal | undefined;
  readonly remedy?: ReactNode;
  readonly alternative?: ReactNode;
  readonly onBack?: (() => void) | undefined;
  readonly payment: OnePayment;
  readonly captcha: PaymentCaptcha;
  readonly pay: (captcha: string, instrument: Instrument) => Promise<void>;
};

type PayState = {
  isPaying: boolean;
  hasCaptcha: boolean;
  state: FrameState;
  isValid: boolean;
  fault: string | undefined;
};

function whyNot({ isPaying, hasCaptcha, state, isValid, fault }: PayState): string | undefined {
  if (isPaying) return "Please don’t close this page.";
  if (fault !== undefined) return fault;
  if (!hasCaptcha) return "Complete the verification above first.";
  if (state === "failed") return "The card form didn’t load.";
  if (state !== "ready") return "The card form is loading.";
  return isValid ? undefined : "Fill in your card details above first.";
}

function FrameNote({ state, isPaying, failure, onTryAgain, children }: FrameNoteProps) {
  const button = useFocus<HTMLButtonElement>(state === "failed" || undefined);
  if (isPaying) return <p className="muted">We’ve sent your card details to the bank.</p>;
  if (state === "waiting") return <p className="muted">The card form opens here after the verification above.</p>;
  if (state === "loading") return <p className="muted">Loading the card form…</p>;
  if (state === "ready") return null;
  return (
    <div role="alert">
      <p>{failure}</p>
      {children}
      <button type="button" className="btn btn-quiet" ref={button} onClick={onTryAgain}>
        Try again
      </button>
    </div>
  );
}

type FrameNoteProps = {
  state: FrameState;
  isPaying: boolean;
  failure: string;
  onTryAgain: () => void;
  /** How else to pay. */
  children: ReactNode;
};

const AFTER_CAPTCHA_MS = 100;

type FrameState = "waiting" | "loading" | "ready" | "failed";

type CardFrameSetup = {
  readonly scriptUrl: string;
  readonly publishableKey: string;
  readonly asksBank: boolean;
};

/** The card frame in `place`: opens 100 ms after `isWanted` (DON-14), closes on leaving; only one at a time. */
function useCardFrame(place: RefObject<HTMLDivElement | null>, payway: CardFrameSetup, isWanted: boolean) {
  const { scriptUrl, publishableKey, asksBank } = payway;
  const frame = useRef<CardFrame | undefined>(undefined);
  const [state, setState] = useState<FrameState>("waiting");
  const [isValid, setValid] = useState(false);
  const [failure, setFailure] = useState("");

  const close = () => {
    frame.current?.close();
    frame.current = undefined;
    setValid(false);
  };
  const { tryAgain } = useTries(isWanted ? `${scriptUrl} ${publishableKey} ${asksBank}` : undefined, () => {
    setState("loading");
    const timer = setTimeout(() => {
      if (place.current === null) return;
      frame.current = openCardFrame({
        place: place.current,
        scriptUrl,
        publishableKey,
        asksBank,
        onReady: () => setState("ready"),
        onFailed: (sentence) => {
          setFailure(sentence);
          setState("failed");
        },
        onValidity: setValid,
      });
    }, AFTER_CAPTCHA_MS);
    return () => {
      clearTimeout(timer);
      close();
    };
  });

  const getToken = () => frame.current?.getToken() ?? Promise.reject(new Error("The card form is not open."));
  return { state, isValid, failure, close, getToken, tryAgain };
}
