import { LastFailure } from "#payments/checkout/ui/last-failure.tsx";
import { isResult, isUnderWay } from "./checkout-flow.ts";
import { CheckoutResult } from "./checkout-result.tsx";
import type { MainProps } from "./main-props.ts";
import { PayPart } from "./pay-part.tsx";
import { useTicketPayment } from "./use-ticket-payment.ts";

/** What the checkout needs once seats are held; a separate chunk, so that the form appears sooner. */
export function LazyPaymentSteps(props: MainProps) {
  const { flow } = props.checkout;
  const paying = useTicketPayment(props.checkout);
  if (isResult(flow)) return <CheckoutResult {...props} paying={paying} />;
  const { lastFailure, refusal, order } = flow;
  return (
    <>
      {lastFailure !== undefined && refusal === undefined && !isUnderWay(flow) && <LastFailure text={lastFailure} />}
      {order !== undefined && <PayPart {...props} paying={paying} order={order} />}
    </>
  );
}
