import type { PaymentMethod } from "#payments/checkout/contract.ts";
import type { PaymentRefusal, PaymentVerdict } from "#payments/checkout/ui/outcome.ts";
import type { TicketOrder } from "../../contract.ts";
import type { OrderLine } from "../../order.ts";

/** A payment that was sent: its Idempotency-Key, and its id once the server has said so. */
export type SentTicketPayment = {
  readonly key: string;
  readonly id?: string | undefined;
  readonly totalCents: number;
  readonly email: string;
  readonly method: PaymentMethod;
};

/** Why the seats could not be held. */
type HoldProblem = { readonly error: string; readonly message: string };

export type CheckoutFlow = {
  readonly lines: readonly OrderLine[];
  /** As the server last described it. */
  readonly order: TicketOrder | undefined;
  /** When the hold ends by this device's clock, corrected by the server's. */
  readonly endsAt: number;
  readonly isHeld: boolean;
  /** A request to hold or look up seats is in progress. */
  readonly isAsking: boolean;
  readonly problem: HoldProblem | undefined;
  /** Why the last discount code cannot be used. */
  readonly codeFault: string | undefined;
  readonly method: PaymentMethod;
  /** From submission until it is known that nothing was charged. */
  readonly sent: SentTicketPayment | undefined;
  readonly verdict: Exclude<PaymentVerdict, PaymentRefusal> | undefined;
  readonly refusal: PaymentRefusal | undefined;
  /** Why the last payment failed; kept while paying again. */
  readonly lastFailure: string | undefined;
};

export type CheckoutEvent =
  | { readonly type: "opened"; readonly lines: readonly OrderLine[]; readonly method: PaymentMethod }
  | { readonly type: "asked" }
  | { readonly type: "held"; readonly order: TicketOrder; readonly at: number }
  | { readonly type: "notHeld"; readonly problem: HoldProblem }
  /** A discount code cannot be used; the seats are held as before. */
  | { readonly type: "codeRefused"; readonly message: string }
  | { readonly type: "lapsed" }
  | { readonly type: "choseMethod"; readonly method: PaymentMethod }
  | { readonly type: "sent"; readonly payment: SentTicketPayment }
  | { readonly type: "decided"; readonly verdict: PaymentVerdict }
  /** An order whose payment is in progress or finished. */
  | { readonly type: "found"; readonly order: TicketOrder }
  | { readonly type: "triedAgain" };

export const atStart: CheckoutFlow = {
  lines: [],
  order: undefined,
  endsAt: 0,
  isHeld: false,
  isAsking: true,
  problem: undefined,
  codeFault: undefined,
  method: "cc",
  sent: undefined,
  verdict: undefined,
  refusal: undefined,
  lastFailure: undefined,
};

/** The state of the checkout after an event; it changes nothing and has no side effects. */
export function reduceCheckout(flow: CheckoutFlow, event: CheckoutEvent): CheckoutFlow {
  switch (event.type) {
    case "opened":
      return { ...atStart, lines: event.lines, method: event.method };
    case "asked":
      return { ...flow, isAsking: true, codeFault: undefined };
    case "held": {
      const { order, at } = event;
      return { ...flow, order, endsAt: endOf(order, at), isHeld: true, isAsking: false, problem: undefined };
    }
    case "notHeld":
      return { ...flow, isAsking: false, problem: event.problem };
    case "codeRefused":
      return { ...flow, isAsking: false, codeFault: event.message };
    case "lapsed":
      return { ...flow, isHeld: false };
    case "choseMethod":
      return { ...flow, method: event.method, refusal: undefined };
    case "sent":
      return { ...flow, sent: event.payment, refusal: undefined, problem: undefined };
    case "decided":
      return decide(flow, event.verdict);
    case "found":
      return find(flow, event.order);
    case "triedAgain":
      return {
        ...flow,
        order: undefined,
        isHeld: false,
        sent: undefined,
        verdict: undefined,
        refusal: undefined,
        lastFailure: flow.verdict?.kind === "failed" ? flow.verdict.message : undefined,
      };
  }
}

/** Every order carries the server's time, so a device with a wrong clock still counts down correctly. */
function endOf({ now, holdUntil }: TicketOrder, at: number): number {
  return holdUntil === null ? at : at + Date.parse(holdUntil) - Date.parse(now);
}

function decide(flow: CheckoutFlow, verdict: PaymentVerdict): CheckoutFlow {
  if (verdict.kind === "refused") {
    const isLapsed = verdict.error === "hold_lapsed";
    const refusal = isLapsed ? undefined : verdict;
    return { ...flow, sent: undefined, verdict: undefined, refusal, isHeld: flow.isHeld && !isLapsed };
  }
  const decided = { ...flow, refusal: undefined, verdict };
  if (verdict.kind === "failed") return { ...decided, sent: undefined };
  const id = verdict.kind === "confirming" || verdict.kind === "challenge" ? verdict.id : undefined;
  return id === undefined || flow.sent === undefined ? decided : { ...decided, sent: { ...flow.sent, id } };
}

function find(flow: CheckoutFlow, order: TicketOrder): CheckoutFlow {
  const { id, payment, reference, totalCents, email } = order;
  const found = { ...flow, order, isHeld: false, isAsking: false, problem: undefined, refusal: undefined };
  const known = flow.verdict;
  const message = known?.kind === "refunded" || known?.kind === "succeeded" ? known.message : "";
  // Also if a second payment of the same order was refunded: the tickets are valid.
  if (order.state === "paid") {
    return { ...found, verdict: { kind: "succeeded", id, message, reference, receiptUrl: undefined } };
  }
  if (order.state === "refunded") return { ...found, verdict: { kind: "refunded", message } };
  const isOpen = payment?.state === "processing" || payment?.state === "action_required";
  if (known?.kind === "refunded" || known?.kind === "succeeded" || !isOpen) return found;
  const sent = { key: payment.id, id: payment.id, totalCents, email, method: flow.method };
  return { ...found, sent, verdict: { kind: "confirming", id: payment.id } };
}

/** Whether a payment is in progress or its outcome unknown, so nothing else may start. */
export function isUnderWay({ sent, verdict }: CheckoutFlow): boolean {
  if (verdict === undefined) return sent !== undefined;
  return verdict.kind === "challenge" || verdict.kind === "confirming";
}

/** Whether seats must be held again before anything else; false until the first hold has been answered. */
export function isWithoutSeats(flow: CheckoutFlow): boolean {
  if (flow.isHeld || isUnderWay(flow) || isResult(flow)) return false;
  return flow.problem !== undefined || flow.order !== undefined;
}

/** Whether the page shows a result instead of the form. */
export function isResult({ verdict }: CheckoutFlow): boolean {
  return verdict !== undefined && verdict.kind !== "challenge";
}
