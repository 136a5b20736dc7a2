import type { PaymentMethod } from "#payments/checkout/contract.ts";
import type { PaymentRefusal, PaymentVerdict } from "#payments/checkout/ui/outcome.ts";
import { goTo, nextProgress, type Progress, progressAt, type WizardPlace } from "#shared/ui/wizard.ts";
import type { CartLine } from "../../cart.ts";
import type { DonationDraft, LineEntry, Personal, SentPayment } from "../../draft.ts";
import { emptyPersonal, isPersonalComplete } from "./personal.ts";

/** 1 Personal, 2 Method, 3 Payment, 4 Preview, 5 Finish (DON-1). The first four have an indicator. */
export type DonationStep = 1 | 2 | 3 | 4 | 5;
export const donationStepNames = ["Personal", "Method", "Payment", "Preview"] as const;

export type Flow = Progress<DonationStep> & {
  readonly personal: Personal;
  readonly lines: readonly CartLine[];
  readonly coversAdminFee: boolean;
  readonly method: PaymentMethod;
  /** The category key from the link that led here, until the donor chooses a category. */
  readonly cause: string | undefined;
  /** The next line, once something was entered for it. */
  readonly entry: LineEntry | undefined;
  /** Set from submission until we know that nothing was charged. */
  readonly payment: SentPayment | undefined;
  readonly verdict: Exclude<PaymentVerdict, PaymentRefusal> | undefined;
  readonly refusal: PaymentRefusal | undefined;
  /** Why the last payment failed, while the donor tries again at step 4. */
  readonly lastFailure: string | undefined;
};

export type FlowEvent =
  | {
      readonly type: "opened";
      readonly draft: DonationDraft | undefined;
      readonly personal: Personal;
      readonly step: DonationStep;
      readonly cause?: string | undefined;
    }
  | { readonly type: "reopened"; readonly payment: SentPayment }
  | { readonly type: "typed"; readonly personal: Personal }
  | { readonly type: "added"; readonly line: CartLine }
  | { readonly type: "entered"; readonly entry: LineEntry }
  | { readonly type: "deleted"; readonly index: number }
  | { readonly type: "restored"; readonly index: number; readonly line: CartLine }
  | { readonly type: "choseAdminFee"; readonly coversAdminFee: boolean }
  | { readonly type: "choseMethod"; readonly method: PaymentMethod }
  | { readonly type: "wentOn" }
  | { readonly type: "wentTo"; readonly place: WizardPlace<DonationStep> }
  | { readonly type: "sent"; readonly payment: SentPayment }
  | { readonly type: "decided"; readonly verdict: PaymentVerdict }
  | { readonly type: "triedAgain" }
  | { readonly type: "startedOver" };

export const emptyFlow: Flow = {
  ...progressAt<DonationStep>(1),
  personal: emptyPersonal,
  lines: [],
  coversAdminFee: true,
  method: "cc",
  cause: undefined,
  entry: undefined,
  payment: undefined,
  verdict: undefined,
  refusal: undefined,
  lastFailure: undefined,
};

/** The furthest step that the donor may open. */
export function furthestDonationStep({ personal, lines }: Pick<Flow, "personal" | "lines">): DonationStep {
  if (!isPersonalComplete(personal)) return 1;
  return lines.length === 0 ? 2 : 4;
}

/** The state of the donation form after an event; it changes nothing and has no side effects. */
export function reduceFlow(flow: Flow, event: FlowEvent): Flow {
  switch (event.type) {
    case "opened": {
      const { lines = [], coversAdminFee = true, method = "cc" } = event.draft ?? {};
      const cause = event.cause ?? event.draft?.cause;
      const entry = event.cause === undefined ? event.draft?.entry : undefined;
      const opened = { ...emptyFlow, personal: event.personal, lines, coversAdminFee, method, cause, entry };
      return { ...opened, ...progressAt(Math.min(event.step, furthestDonationStep(opened)) as DonationStep) };
    }
    case "reopened":
      return {
        ...flow,
        ...progressAt<DonationStep>(5),
        payment: event.payment,
        verdict: { kind: "confirming", id: event.payment.id },
      };
    case "typed":
      return { ...flow, personal: event.personal };
    case "added":
      return { ...flow, lines: [...flow.lines, event.line], cause: undefined };
    case "entered":
      return { ...flow, entry: event.entry, cause: undefined };
    case "deleted":
      return { ...flow, lines: flow.lines.toSpliced(event.index, 1) };
    case "restored":
      return { ...flow, lines: flow.lines.toSpliced(event.index, 0, event.line) };
    case "choseAdminFee":
      return { ...flow, coversAdminFee: event.coversAdminFee };
    case "choseMethod":
      return { ...flow, method: event.method, refusal: undefined };
    case "wentOn":
      return { ...flow, ...nextProgress(flow, 4) };
    case "wentTo":
      return moveTo(flow, event.place);
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
      return { ...flow, ...progressAt(4), payment: undefined, verdict: undefined, lastFailure };
    }
    case "startedOver":
      return { ...emptyFlow, personal: flow.personal };
  }
}

/** Ignores moves away from a result, or from a payment that the bank is confirming. */
function moveTo(flow: Flow, place: WizardPlace<DonationStep>): Flow {
  if (flow.step === 5 || flow.verdict?.kind === "challenge") return flow;
  return { ...flow, ...goTo(flow, place, furthestDonationStep(flow)), lastFailure: undefined };
}

/** Whether the outcome is final and needs nothing from the donor. */
export function isDonationOver({ verdict }: Flow): boolean {
  return verdict?.kind === "succeeded" || verdict?.kind === "refunded";
}

function decide(flow: Flow, verdict: PaymentVerdict): Flow {
  if (verdict.kind === "refused") {
    return { ...flow, ...progressAt(4), payment: undefined, verdict: undefined, refusal: verdict };
  }
  if (verdict.kind === "challenge") {
    const payment = flow.payment && { ...flow.payment, id: verdict.id };
    return { ...flow, ...progressAt(4), refusal: undefined, verdict, payment };
  }
  const finished = { ...flow, ...progressAt<DonationStep>(5), refusal: undefined, verdict };
  if (verdict.kind === "failed") return { ...finished, payment: undefined, completed: progressAt(4).completed };
  if (verdict.kind === "confirming" && verdict.id !== undefined && flow.payment !== undefined) {
    return { ...finished, payment: { ...flow.payment, id: verdict.id } };
  }
  return finished;
}
