import type { PaymentMethod } from "#payments/checkout/contract.ts";
import type { Refusal, Verdict } from "#payments/checkout/ui/outcome.ts";
import type { CartLine } from "../../cart.ts";
import type { Draft, Personal, SentPayment } from "../../draft.ts";
import { isPersonalComplete, nobody } from "./personal.ts";

/** 1 Personal, 2 Method, 3 Payment, 4 Preview, 5 Finish (DON-1). The first four have an indicator. */
export type Step = 1 | 2 | 3 | 4 | 5;
export const stepNames = ["Personal", "Method", "Payment", "Preview"] as const;

/** Where somebody stands; `isChanging` while a Change link of Preview is being followed, which leads back there. */
export type Place = { readonly step: Step; readonly isChanging: boolean };

export type Flow = Place & {
  readonly completed: readonly number[];
  readonly personal: Personal;
  readonly lines: readonly CartLine[];
  readonly coversAdminFee: boolean;
  readonly method: PaymentMethod;
  /** The key of the category that a link asked for, until the donor has chosen one. */
  readonly cause: string | undefined;
  /** From submission on, until it is known that nothing was charged. */
  readonly payment: SentPayment | undefined;
  readonly verdict: Exclude<Verdict, Refusal> | undefined;
  readonly refusal: Refusal | undefined;
  /** Why the last payment failed, while step 4 is at another try. */
  readonly lastFailure: string | undefined;
};

export type FlowEvent =
  | {
      readonly type: "opened";
      readonly draft: Draft | undefined;
      readonly personal: Personal;
      readonly step: Step;
      readonly cause?: string | undefined;
    }
  | { readonly type: "reopened"; readonly payment: SentPayment }
  | { readonly type: "typed"; readonly personal: Personal }
  | { readonly type: "added"; readonly line: CartLine }
  | { readonly type: "leftCause" }
  | { readonly type: "deleted"; readonly index: number }
  | { readonly type: "restored"; readonly index: number; readonly line: CartLine }
  | { readonly type: "choseAdminFee"; readonly coversAdminFee: boolean }
  | { readonly type: "choseMethod"; readonly method: PaymentMethod }
  | { readonly type: "wentOn" }
  | { readonly type: "wentTo"; readonly place: Place }
  | { readonly type: "sent"; readonly payment: SentPayment }
  | { readonly type: "decided"; readonly verdict: Verdict }
  | { readonly type: "triedAgain" }
  | { readonly type: "startedOver" };

export const emptyFlow: Flow = {
  step: 1,
  isChanging: false,
  completed: [],
  personal: nobody,
  lines: [],
  coversAdminFee: true,
  method: "cc",
  cause: undefined,
  payment: undefined,
  verdict: undefined,
  refusal: undefined,
  lastFailure: undefined,
};

/** The furthest step that what was entered leads to. */
export function furthestStep({ personal, lines }: Pick<Flow, "personal" | "lines">): Step {
  if (!isPersonalComplete(personal)) return 1;
  return lines.length === 0 ? 2 : 4;
}

export function reduceFlow(flow: Flow, event: FlowEvent): Flow {
  switch (event.type) {
    case "opened": {
      const { lines = [], coversAdminFee = true, method = "cc" } = event.draft ?? {};
      const cause = event.cause ?? event.draft?.cause;
      const opened = { ...emptyFlow, personal: event.personal, lines, coversAdminFee, method, cause };
      const step = Math.min(event.step, furthestStep(opened)) as Step;
      return { ...opened, step, completed: stepsBefore(step) };
    }
    case "reopened":
      return { ...flow, step: 5, payment: event.payment, verdict: { kind: "confirming", id: event.payment.id } };
    case "typed":
      return { ...flow, personal: event.personal };
    case "added":
      return { ...flow, lines: [...flow.lines, event.line], cause: undefined };
    case "leftCause":
      return { ...flow, cause: undefined };
    case "deleted":
      return { ...flow, lines: flow.lines.toSpliced(event.index, 1) };
    case "restored":
      return { ...flow, lines: flow.lines.toSpliced(event.index, 0, event.line) };
    case "choseAdminFee":
      return { ...flow, coversAdminFee: event.coversAdminFee };
    case "choseMethod":
      return { ...flow, method: event.method, refusal: undefined };
    case "wentOn":
      return {
        ...flow,
        step: flow.isChanging ? 4 : (Math.min(flow.step + 1, 4) as Step),
        isChanging: false,
        completed: marked(flow.completed, flow.step),
      };
    case "wentTo":
      return goTo(flow, event.place);
    default:
      return reducePayment(flow, event);
  }
}

type PaymentEvent = Extract<FlowEvent, { type: "sent" | "decided" | "triedAgain" | "startedOver" }>;

function reducePayment(flow: Flow, event: PaymentEvent): Flow {
  switch (event.type) {
    case "sent":
      return { ...flow, payment: event.payment, refusal: undefined };
    case "decided":
      return decide(flow, event.verdict);
    case "triedAgain": {
      const lastFailure = flow.verdict?.kind === "failed" ? flow.verdict.message : undefined;
      return { ...flow, step: 4, completed: stepsBefore(4), payment: undefined, verdict: undefined, lastFailure };
    }
    case "startedOver":
      return { ...emptyFlow, personal: flow.personal };
  }
}

/**
 * Back clears the marks from there on (DON-1); a Change link keeps them, and forward goes only where the answers lead. No
 * way leads out of a payment that was sent: neither from its result, nor while its bank asks.
 */
function goTo(flow: Flow, { step, isChanging }: Place): Flow {
  if (flow.step === 5 || flow.verdict?.kind === "challenge") return flow;
  const gone = { ...flow, isChanging, lastFailure: undefined };
  if (isChanging) return { ...gone, step };
  if (step < flow.step) return { ...gone, step, completed: flow.completed.filter((done) => done < step) };
  const reached = Math.min(step, furthestStep(flow)) as Step;
  return { ...gone, step: reached, completed: stepsBefore(reached) };
}

function decide(flow: Flow, verdict: Verdict): Flow {
  if (verdict.kind === "refused") {
    return { ...flow, step: 4, completed: stepsBefore(4), payment: undefined, verdict: undefined, refusal: verdict };
  }
  if (verdict.kind === "challenge") {
    const payment = flow.payment && { ...flow.payment, id: verdict.id };
    return { ...flow, step: 4, isChanging: false, completed: stepsBefore(4), refusal: undefined, verdict, payment };
  }
  const finished = { ...flow, step: 5, isChanging: false, refusal: undefined, verdict } as const;
  if (verdict.kind === "failed") return { ...finished, payment: undefined, completed: stepsBefore(4) };
  const completed = stepsBefore(5);
  if (verdict.kind === "confirming" && verdict.id !== undefined && flow.payment !== undefined) {
    return { ...finished, completed, payment: { ...flow.payment, id: verdict.id } };
  }
  return { ...finished, completed };
}

const stepsBefore = (step: Step) => [1, 2, 3, 4].slice(0, step - 1);

function marked(completed: readonly number[], step: number): readonly number[] {
  return completed.includes(step) ? completed : [...completed, step];
}
