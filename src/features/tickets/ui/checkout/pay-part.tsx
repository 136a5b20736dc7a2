import { useEffect } from "react";
import { MethodChoice } from "#payments/checkout/ui/method-choice.tsx";
import { isAboutMethod, type PaymentRefusal } from "#payments/checkout/ui/outcome.ts";
import { PaySection, type PaySectionProps } from "#payments/checkout/ui/pay-section.tsx";
import { Seal } from "#payments/checkout/ui/trust-block.tsx";
import { NotLoaded, useLoad } from "#shared/ui/use-load.tsx";
import type { TicketOrder } from "../../contract.ts";
import { BookFree } from "./book-free.tsx";
import { isUnderWay } from "./checkout-flow.ts";
import type { MainProps } from "./main-props.ts";
import { missingOf } from "./missing-details.ts";
import { findWaysToPay } from "./ticket-calls.ts";
import { isAboutBuyer } from "./use-buyer.ts";
import type { TicketPaying } from "./use-ticket-payment.ts";

/** Card or PayPal, and what pays (TIC-5). */
export function PayPart(props: PayPartProps) {
  return props.order.totalCents === 0 ? <BookFree {...props} /> : <PayForTickets {...props} />;
}

function PayForTickets({ checkout, paying, buyer, order, organisation, choicePath }: PayPartProps) {
  const { flow, sent, choose } = checkout;
  const { data: ways, error, reload } = useLoad(findWaysToPay);
  const { refusal, verdict, method } = flow;
  // The ways to pay may have changed on the server.
  useEffect(() => {
    if (isAboutMethod(refusal)) reload();
  }, [refusal, reload]);
  if (ways === undefined) return <NotYet error={error} onTryAgain={reload} />;

  const pay: PaySectionProps["onPay"] = async (captcha, instrument) => {
    if (buyer.buyer === undefined) {
      void buyer.showFaults();
      return { kind: "refused", error: "invalid_input", message: "", fields: {} };
    }
    const decided = await paying.pay(buyer.buyer, captcha, instrument);
    if (decided?.kind === "refused") buyer.showFound(decided.fields);
    return decided;
  };
  const body = sent.current?.body;
  const isAsked = verdict?.kind === "challenge" && body?.method === "cc";
  const shown = refusal !== undefined && isAboutBuyer(refusal.fields) ? undefined : refusal;
  return (
    <>
      {!isUnderWay(flow) && (
        <div className="block">
          <MethodChoice
            chosen={method}
            checkout={ways}
            hintOf={() => "No fee is added."}
            onChoose={choose}
            onCheckAgain={reload}
          />
        </div>
      )}
      <PaySection
        method={body?.method ?? method}
        checkout={ways}
        totalCents={order.totalCents}
        payee={organisation}
        action="tickets"
        fault={undefined}
        missing={missingOf(checkout, buyer)}
        refusal={shown}
        remedy={shown && <Remedy refusal={shown} choicePath={choicePath} />}
        challenge={isAsked ? { id: verdict.id, token: body.instrument } : undefined}
        onChallengeEnd={paying.decide}
        onPay={pay}
      />
      <Seal registration={organisation.registration} />
    </>
  );
}

export type PayPartProps = MainProps & { readonly paying: TicketPaying; readonly order: TicketOrder };

function Remedy({ refusal: { error, fields }, choicePath }: { refusal: PaymentRefusal; choicePath: string }) {
  const isAboutTickets = error === "not_on_sale" || error === "seats_gone" || fields.total !== undefined;
  return isAboutTickets ? <a href={choicePath}>Change tickets</a> : null;
}

function NotYet({ error, onTryAgain }: { error: Error | undefined; onTryAgain: () => void }) {
  return (
    <div className="block pay-not-yet">
      <NotLoaded
        hasFailed={error !== undefined}
        text={`We couldn’t load the payment options. ${error?.message} Nothing was charged.`}
        onTryAgain={onTryAgain}
      >
        <p className="muted">You can pay by card or PayPal. The payment form opens here in a moment.</p>
      </NotLoaded>
    </div>
  );
}
