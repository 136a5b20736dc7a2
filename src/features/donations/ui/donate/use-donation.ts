import { useReducer, useRef } from "react";
import type { SentPayment } from "../../draft.ts";
import { findDraft, keepDraft } from "./draft-storage.ts";
import { emptyFlow, type Flow, type FlowEvent, reduceFlow, type Step } from "./flow.ts";
import type { DonationPayment } from "./payment-body.ts";
import type { Catalogue } from "./use-catalogue.ts";
import { useHistory, usePlaceInHistory } from "./use-history.ts";
import { type DonationEvent, useKeeping, useOpening, useOtherTabs } from "./use-keeping.ts";
import { guest, type Visitor } from "./visitor.ts";

export type Donation = {
  readonly flow: Flow;
  readonly visitor: Visitor;
  /** False on the server, and until the page knows its visitor. */
  readonly isReady: boolean;
  readonly tell: (event: FlowEvent) => void;
  readonly goOn: () => void;
  readonly goBack: () => void;
  readonly change: (step: Step) => void;
  /** Notes the payment on this device before anything is sent; false when another tab has one on its way. */
  readonly noteSent: (payment: SentPayment) => boolean;
  /** What was sent, with its card token or what PayPal gave, in memory alone; gone once the outcome is known. */
  readonly sentBody: { current: DonationPayment | undefined };
  /** What was last known of the catalogue, so that coming back to a later step does not wait for it again. */
  readonly knownCatalogue: { current: Catalogue | undefined };
};

type State = { readonly flow: Flow; readonly visitor: Visitor; readonly isReady: boolean };

function reduce(state: State, event: DonationEvent): State {
  if (event.type === "met") return { ...state, visitor: event.visitor, isReady: true };
  return { ...state, flow: reduceFlow(state.flow, event) };
}

const atStart: State = { flow: emptyFlow, visitor: guest, isReady: false };

/** One donation from first step to result, kept on this device and in step with the browser's history. */
export function useDonation(): Donation {
  const [{ flow, visitor, isReady }, tell] = useReducer(reduce, atStart);
  const sentBody = useRef<DonationPayment | undefined>(undefined);
  const knownCatalogue = useRef<Catalogue | undefined>(undefined);
  useOpening(tell);
  useKeeping(flow, visitor, isReady);
  useOtherTabs(flow, visitor, tell, isReady);
  useHistory(flow, tell, isReady);
  const { goOn, goBack, change } = usePlaceInHistory(flow, tell);

  const noteSent = (payment: SentPayment) => {
    const before = findDraft(visitor.userId)?.payment;
    if (before !== undefined) {
      tell({ type: "reopened", payment: before });
      return false;
    }
    keepDraft({ ...flow, userId: visitor.userId, payment });
    tell({ type: "sent", payment });
    return true;
  };
  return { flow, visitor, isReady, tell, goOn, goBack, change, noteSent, sentBody, knownCatalogue };
}
