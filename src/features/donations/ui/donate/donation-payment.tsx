import { useEffect, useRef } from "react";
import type { Payment } from "#payments/checkout/contract.ts";
import { holdPayment } from "#payments/checkout/ui/held-payment.ts";
import { LastFailure } from "#payments/checkout/ui/last-failure.tsx";
import {
  isAboutMethod,
  type PaymentRefusal,
  type PaymentVerdict,
  readPaymentAnswer,
} from "#payments/checkout/ui/outcome.ts";
import type { Instrument } from "#payments/checkout/ui/pay-by-card.tsx";
import { PaySection } from "#payments/checkout/ui/pay-section.tsx";
import { sendingText } from "#payments/checkout/ui/words.ts";
import { loginThen, paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import type { Priced } from "../../cart.ts";
import { wireField } from "../../contract.ts";
import type { Charity } from "./bank-card.tsx";
import { cardPayment, type PaymentBody, payPalPayment } from "./payment-body.ts";
import { sendPayment } from "./send-payment.ts";
import type { Catalogue } from "./use-catalogue.ts";
import type { DonationForm } from "./use-donation.ts";

/** The payment part of step 4 (DON-14, DON-15, DON-19). */
export function DonationPayment({ donation, checkout, priced, fault, organisation }: DonationPaymentProps) {
  const { flow, dispatch, sentBody } = donation;
  const { verdict, method, refusal, lastFailure } = flow;
  const { pay, giveAgain } = usePaying(donation, priced);
  const key = flow.payment?.key;
  // While a payment is being sent or confirmed with the bank, no other window may act on it.
  useEffect(() => (key === undefined ? undefined : holdPayment(key)), [key]);
  const sent = sentBody.current;
  const isAsked = verdict?.kind === "challenge" && sent?.method === "PAYWAY";
  return (
    <PaySection
      method={method}
      checkout={checkout}
      totalCents={priced.totalCents}
      payee={organisation}
      action="donate"
      fault={fault}
      lastFailure={
        lastFailure &&
        refusal === undefined &&
        flow.payment === undefined && (
          <LastFailure text={lastFailure}>
            <button type="button" className="link-btn" onClick={() => donation.change(3)}>
              Choose another way to pay
            </button>
          </LastFailure>
        )
      }
      refusal={refusal}
      remedy={
        refusal && (
          <Remedy
            donation={donation}
            refusal={refusal}
            priced={priced}
            organisation={organisation}
            onGiveAgain={giveAgain}
          />
        )
      }
      alternative={
        <p>
          <button type="button" className="link-btn" onClick={() => donation.change(3)}>
            Choose another way to pay
          </button>{" "}
          or call us on <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a>.
        </p>
      }
      challenge={isAsked ? { id: verdict.id, token: sent.token } : undefined}
      onChallengeEnd={(end) => {
        if (end.kind !== "confirming") sentBody.current = undefined;
        dispatch({ type: "decided", verdict: end });
      }}
      onBack={donation.goBack}
      onChangeMethod={() => donation.change(3)}
      onPay={pay}
    />
  );
}

type DonationPaymentProps = {
  readonly donation: DonationForm;
  readonly checkout: Catalogue["checkout"];
  readonly priced: Priced;
  /** Why the cart can't be paid for as it is. */
  readonly fault: string | undefined;
  readonly organisation: Charity;
};

/**
 * Saves a payment on this device, then sends it and reads the outcome (DON-16, DON-20). If it was refused as a repeat
 * of a recent donation, its body is kept until step 4 is left; `giveAgain` sends it as intended (DON-30).
 */
function usePaying({ flow, visitor, dispatch, noteSent, sentBody }: DonationForm, priced: Priced) {
  const refusedBody = useRef<PaymentBody | undefined>(undefined);
  const isMeant = useRef(false);

  const sendNoted = async (payment: PaymentBody): Promise<PaymentVerdict | undefined> => {
    const body = isMeant.current ? { ...payment, repeat: true } : payment;
    const key = crypto.randomUUID();
    if (!noteSent({ key, totalCents: priced.totalCents, email: body.email })) return undefined;
    sentBody.current = body;
    const verdict = readPaymentAnswer(await whileLoading(sendPayment(body, key), sendingText[flow.method]));
    if (verdict.kind !== "confirming" && verdict.kind !== "challenge") sentBody.current = undefined;
    refusedBody.current = verdict.kind === "refused" && verdict.error === "just_given" ? body : undefined;
    dispatch({ type: "decided", verdict });
    return verdict;
  };

  const pay = async (captcha: string, instrument: Instrument): Promise<PaymentVerdict | undefined> => {
    const parts = { flow, priced, userId: visitor.userId, captcha };
    const body = instrument.method === "cc" ? cardPayment(parts, instrument.token) : payPalPayment(parts, instrument);
    return sendNoted(body);
  };

  const giveAgain = () => {
    isMeant.current = true;
    if (refusedBody.current !== undefined) void sendNoted(refusedBody.current);
  };
  return { pay, giveAgain };
}

/**
 * Leads to what can fix a refusal, if anything: a step, the log-in, or for a repeat the earlier donation or donating
 * again.
 */
function Remedy({ donation, refusal, priced, organisation, onGiveAgain }: RemedyProps) {
  if (refusal.error === "too_many") return <WithoutWaiting organisation={organisation} />;
  if (refusal.error === "just_given") {
    const { earlier } = refusal;
    const see = ({ id }: Payment) => {
      const { email } = donation.flow.personal;
      donation.dispatch({ type: "reopened", payment: { key: id, id, totalCents: priced.totalCents, email } });
    };
    return (
      <div className="form-actions">
        {earlier !== undefined && (
          <button type="button" className="btn" onClick={() => see(earlier)}>
            See that donation
          </button>
        )}
        <button type="button" className="btn btn-quiet" onClick={onGiveAgain}>
          Give it again
        </button>
      </div>
    );
  }
  // The draft stays on this device for when the member returns.
  if (refusal.error === "not_allowed") return <a href={loginThen(paths.donation)}>Log in</a>;
  const step = stepOf(refusal);
  if (step === undefined) return null;
  return (
    <button type="button" className="link-btn" onClick={() => donation.change(step)}>
      {changeNames[step]}
    </button>
  );
}

function WithoutWaiting({ organisation: { banks, phone } }: { organisation: Charity }) {
  const call = <a href={telephoneLink(phone)}>{phone}</a>;
  if (banks.length === 0) return <p>You can also call us on {call}.</p>;
  return <p>You can also give by bank deposit, with the details on this page, or call us on {call}.</p>;
}

type RemedyProps = {
  readonly donation: DonationForm;
  readonly refusal: PaymentRefusal;
  readonly priced: Priced;
  readonly organisation: Charity;
  readonly onGiveAgain: () => void;
};

const cartFields: readonly string[] = [
  wireField.totalCents,
  wireField.firstLineCategory,
  ...Object.values(wireField.line),
];

const changeNames = {
  1: "Change your personal details",
  2: "Change your donations",
  3: "Change payment method",
} as const;

function stepOf(refusal: PaymentRefusal): 1 | 2 | 3 | undefined {
  const { fields } = refusal;
  if (isAboutMethod(refusal)) return 3;
  const names = Object.keys(fields).filter((name) => name !== wireField.captcha);
  if (names.length === 0) return undefined;
  const isOfCart = (name: string) => name.startsWith(wireField.lines) || cartFields.includes(name);
  return names.some(isOfCart) ? 2 : 1;
}
