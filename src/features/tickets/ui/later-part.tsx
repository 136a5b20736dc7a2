import { isResult } from "./checkout-flow.ts";
import { CheckoutResult } from "./checkout-result.tsx";
import type { MainProps } from "./later.ts";
import { PayPart } from "./pay-part.tsx";
import { useTicketPayment } from "./use-ticket-payment.ts";

/** What the checkout needs once the seats are held, in a chunk of its own: the form is there sooner without it. */
export function LaterPart(props: MainProps) {
  const { flow } = props.checkout;
  const paying = useTicketPayment(props.checkout);
  if (isResult(flow)) return <CheckoutResult {...props} paying={paying} />;
  return flow.order === undefined ? null : <PayPart {...props} paying={paying} order={flow.order} />;
}
