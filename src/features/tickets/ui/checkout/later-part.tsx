import { LastFailure } from "#payments/checkout/ui/last-failure.tsx";
import { isResult, isUnderWay } from "./checkout-flow.ts";
import { CheckoutResult } from "./checkout-result.tsx";
import type { MainProps } from "./main-props.ts";
import { PayPart } from "./pay-part.tsx";
import { useTicketPayment } from "./use-ticket-payment.ts";

/** What the checkout needs once the seats are held, in a chunk of its own: the form is there sooner without it. */
export function LaterPart(props: MainProps) {
  const { flow } = props.checkout;
  const paying = useTicketPayment(props.checkout);
  if (isResult(flow)) return <CheckoutResult {...props} paying={paying} />;
  const { lastFailure, refusal, order } = flow;
  return (
    <>
      {lastFailure !== undefined && refusal === undefined && !isUnderWay(flow) && <LastFailure says={lastFailure} />}
      {order !== undefined && <PayPart {...props} paying={paying} order={order} />}
    </>
  );
}
