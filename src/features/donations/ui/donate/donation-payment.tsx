import { useEffect } from "react";
import { holdPayment } from "#payments/checkout/ui/held-payment.ts";
import { LastFailure } from "#payments/checkout/ui/last-failure.tsx";
import { PaySection } from "#payments/checkout/ui/pay-section.tsx";
import type { Priced } from "../../cart.ts";
import type { Charity } from "./bank-card.tsx";
import { Remedy } from "./remedy.tsx";
import type { Catalogue } from "./use-catalogue.ts";
import type { Donation } from "./use-donation.ts";
import { usePaying } from "./use-paying.ts";

const words = { verb: "Donate", noun: "donation" } as const;

/** Where step 4 pays (DON-14, DON-15, DON-19). */
export function DonationPayment({ donation, checkout, priced, fault, organisation }: DonationPaymentProps) {
  const { flow, tell, sentBody } = donation;
  const { verdict, method, refusal, lastFailure } = flow;
  const { pay, giveAgain } = usePaying(donation, priced);
  const key = flow.payment?.key;
  // While a payment is sent, or its bank asks, this window alone decides what becomes of it.
  useEffect(() => (key === undefined ? undefined : holdPayment(key)), [key]);
  const sent = sentBody.current;
  const isAsked = verdict?.kind === "challenge" && sent?.method === "PAYWAY";
  return (
    <PaySection
      method={method}
      checkout={checkout}
      totalCents={priced.totalCents}
      payee={organisation}
      words={words}
      action="donate"
      fault={fault}
      lastFailure={
        lastFailure &&
        refusal === undefined &&
        flow.payment === undefined && (
          <LastFailure says={lastFailure}>
            <p>
              You can also{" "}
              <button type="button" className="link-btn" onClick={() => donation.change(3)}>
                choose another way to pay
              </button>
              .
            </p>
          </LastFailure>
        )
      }
      refusal={refusal}
      remedy={refusal && <Remedy donation={donation} refusal={refusal} priced={priced} onGiveAgain={giveAgain} />}
      challenge={isAsked ? { id: verdict.id, token: sent.token } : undefined}
      onChallengeEnd={(end) => {
        if (end.kind !== "confirming") sentBody.current = undefined;
        tell({ type: "decided", verdict: end });
      }}
      onBack={donation.goBack}
      onChangeMethod={() => donation.change(3)}
      onPay={pay}
    />
  );
}

type DonationPaymentProps = {
  readonly donation: Donation;
  readonly checkout: Catalogue["checkout"];
  readonly priced: Priced;
  /** Why the cart cannot be paid as it is. */
  readonly fault: string | undefined;
  readonly organisation: Charity;
};
