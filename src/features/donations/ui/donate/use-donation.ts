import { useEffect, useLayoutEffect, useReducer, useRef } from "react";
import { dropUser, findHint, hasKeptUser } from "#shared/ui/session-record.ts";
import { findHistoryEntry, useWizard } from "#shared/ui/wizard.ts";
import { type DonationDraft, DRAFT_KEY, type SentPayment } from "../../draft.ts";
import { dropDraft, findDraft, keepDraft } from "./draft-storage.ts";
import { type DonationStep, emptyFlow, type Flow, type FlowEvent, isDonationOver, reduceFlow } from "./flow.ts";
import type { PaymentBody } from "./payment-body.ts";
import { emptyPersonal } from "./personal.ts";
import type { Catalogue } from "./use-catalogue.ts";
import { type DonatingVisitor, findVisitor, guest, takeCause } from "./visitor.ts";

export type DonationForm = {
  readonly flow: Flow;
  readonly visitor: DonatingVisitor;
  /** False on the server, and until we know the visitor. */
  readonly isReady: boolean;
  readonly dispatch: (event: FlowEvent) => void;
  readonly goOn: () => void;
  readonly goBack: () => void;
  readonly change: (step: DonationStep) => void;
  /** Saves the payment on this device before it is sent; false if another tab has one in progress. */
  readonly noteSent: (payment: SentPayment) => boolean;
  /** The sent payment with its card token or PayPal nonce, only in memory and only until the outcome is known. */
  readonly sentBody: { current: PaymentBody | undefined };
  /** The last loaded catalogue, so that returning to a later step needs no waiting. */
  readonly knownCatalogue: { current: Catalogue | undefined };
};

type State = { readonly flow: Flow; readonly visitor: DonatingVisitor; readonly isReady: boolean };

function reduce(state: State, event: DonationEvent): State {
  if (event.type === "met") return { ...state, visitor: event.visitor, isReady: true };
  return { ...state, flow: reduceFlow(state.flow, event) };
}

const atStart: State = { flow: emptyFlow, visitor: guest, isReady: false };

/** One donation from first step to result, saved on this device and synchronised with the browser's history. */
export function useDonation(): DonationForm {
  const [{ flow, visitor, isReady }, dispatch] = useReducer(reduce, atStart);
  const sentBody = useRef<PaymentBody | undefined>(undefined);
  const knownCatalogue = useRef<Catalogue | undefined>(undefined);
  useOpening(dispatch);
  useKeeping(flow, visitor, isReady);
  useOtherTabs(flow, visitor, dispatch, isReady);
  useRefusedElsewhere(flow, visitor, dispatch);
  const wizard = useWizard<DonationStep, SentPayment>({
    place: flow,
    last: 4,
    isReady,
    result: flow.payment,
    isOver: isDonationOver(flow),
    onGoOn: () => dispatch({ type: "wentOn" }),
    onGoTo: (place) => dispatch({ type: "wentTo", place }),
  });

  const noteSent = (payment: SentPayment) => {
    const before = findDraft(visitor.userId)?.payment;
    if (before !== undefined) {
      dispatch({ type: "reopened", payment: before });
      return false;
    }
    keepDraft({ ...flow, userId: visitor.userId, payment });
    dispatch({ type: "sent", payment });
    return true;
  };
  return { flow, visitor, isReady, dispatch, ...wizard, noteSent, sentBody, knownCatalogue };
}

type DonationEvent = FlowEvent | { readonly type: "met"; readonly visitor: DonatingVisitor };

const loadFilling = () => import("#shared/ui/fill-user.ts").then(({ fillUser }) => fillUser());

type Dispatch = (event: DonationEvent) => void;

/** Identifies the visitor and restores this device's draft; a payment in progress comes before any cart (DON-20). */
function useOpening(dispatch: Dispatch): void {
  useEffect(() => {
    const open = () => {
      const visitor = findVisitor();
      const draft = findDraft(visitor.userId);
      const entry = findHistoryEntry<DonationStep, SentPayment>();
      const cause = takeCause();
      dispatch({ type: "opened", draft, personal: knownPersonal(visitor, draft), step: entry?.step ?? 1, cause });
      const payment = draft?.payment ?? (cameByLink() ? undefined : entry?.result);
      if (payment !== undefined) dispatch({ type: "reopened", payment });
      dispatch({ type: "met", visitor });
    };
    // In a logged-in person's new tab, ask the server who they are (LOG-17).
    if (findHint() === undefined || hasKeptUser()) open();
    else loadFilling().then(open, open);
  }, [dispatch]);
}

/** Chromium keeps the history entry, with its result, when a link on the page leads to the page itself. */
function cameByLink(): boolean {
  const [loading] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return loading?.type === "navigate";
}

function knownPersonal(visitor: DonatingVisitor, draft: DonationDraft | undefined) {
  if (visitor.kind !== "member") return draft?.personal ?? emptyPersonal;
  return draft !== undefined && draft.userId === visitor.userId ? draft.personal : visitor.personal;
}

/**
 * Before anything can be pressed on what the donor sees: a payment that was refused would still be kept otherwise, and
 * the next one would not be sent.
 */
function useKeeping(flow: Flow, { userId }: DonatingVisitor, isReady: boolean): void {
  useLayoutEffect(() => {
    if (!isReady) return;
    if (isDonationOver(flow)) dropDraft();
    else keepDraft({ ...flow, userId });
  }, [flow, userId, isReady]);
}

/**
 * Shows a payment sent in another tab, so that nobody pays twice, and clears a draft that was dropped there. After a
 * log-out it leaves the member's details too, which would be kept again otherwise: the server decides who may donate.
 */
function useOtherTabs(flow: Flow, visitor: DonatingVisitor, dispatch: Dispatch, isReady: boolean): void {
  const isFree = isReady && flow.payment === undefined && flow.step < 5;
  useEffect(() => {
    if (!isFree) return;
    const follow = (event: Event) => {
      if (visitor.kind === "member" && findHint() === undefined) {
        // Else a guest, whom the server lets in again, would be taken for the member, and the page reloaded for ever.
        dropUser();
        return location.reload();
      }
      if (!(event instanceof StorageEvent) || event.key !== DRAFT_KEY) return;
      const payment = findDraft(visitor.userId)?.payment;
      if (payment !== undefined) dispatch({ type: "reopened", payment });
      else if (event.newValue === null) {
        dispatch({ type: "opened", draft: undefined, personal: knownPersonal(visitor, undefined), step: 1 });
      }
    };
    const events = ["pageshow", "storage", "visibilitychange"];
    for (const event of events) addEventListener(event, follow);
    return () => {
      for (const event of events) removeEventListener(event, follow);
    };
  }, [isFree, visitor, dispatch]);
}

/**
 * Leaves a payment that another tab sent once that tab has dropped it from the draft, because it was refused: then the
 * server doesn't know it. Any other outcome is found by asking the server.
 */
function useRefusedElsewhere({ verdict, payment }: Flow, visitor: DonatingVisitor, dispatch: Dispatch): void {
  const key = verdict?.kind === "confirming" ? payment?.key : undefined;
  useEffect(() => {
    if (key === undefined) return;
    let isGone = false;
    const findDropped = () => {
      const draft = findDraft(visitor.userId);
      return draft?.payment === undefined ? draft : undefined;
    };
    const listen = async (event: StorageEvent) => {
      if (event.key !== DRAFT_KEY || findDropped() === undefined) return;
      // Loaded when it is needed: the first step keeps to its budget of script.
      const { untilPaymentReleased } = await import("#payments/checkout/ui/held-payment.ts");
      await untilPaymentReleased(key);
      const { findPayment } = await import("#payments/checkout/ui/payment-calls.ts");
      const { status } = await findPayment(key);
      const draft = findDropped();
      if (isGone || status !== 404 || draft === undefined) return;
      dispatch({ type: "opened", draft, personal: knownPersonal(visitor, draft), step: 4 });
    };
    addEventListener("storage", listen);
    return () => {
      isGone = true;
      removeEventListener("storage", listen);
    };
  }, [key, visitor, dispatch]);
}
