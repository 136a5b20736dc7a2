import { useEffect } from "react";
import { findHint, hasKeptUser } from "#shared/ui/session-record.ts";
import { DRAFT_KEY, type Draft } from "../../draft.ts";
import { dropDraft, findDraft, keepDraft } from "./draft-storage.ts";
import type { Flow, FlowEvent } from "./flow.ts";
import { nobody } from "./personal.ts";
import { findEntry } from "./use-history.ts";
import { findVisitor, takeCause, type Visitor } from "./visitor.ts";

export type DonationEvent = FlowEvent | { readonly type: "met"; readonly visitor: Visitor };

const loadFilling = () => import("#shared/ui/fill-user.ts").then(({ fillUser }) => fillUser());

type Tell = (event: DonationEvent) => void;

/** Meets the visitor and takes up what this device has kept; a payment that was sent comes before any cart (DON-20). */
export function useOpening(tell: Tell): void {
  useEffect(() => {
    const open = () => {
      const visitor = findVisitor();
      const draft = findDraft(visitor.userId);
      const entry = findEntry();
      const cause = takeCause();
      tell({ type: "opened", draft, personal: knownPersonal(visitor, draft), step: entry?.step ?? 1, cause });
      const payment = draft?.payment ?? entry?.payment;
      if (payment !== undefined) tell({ type: "reopened", payment });
      tell({ type: "met", visitor });
    };
    // A new tab of somebody logged in: the server says who it is (LOG-17).
    if (findHint() === undefined || hasKeptUser()) open();
    else loadFilling().then(open, open);
  }, [tell]);
}

function knownPersonal(visitor: Visitor, draft: Draft | undefined) {
  if (visitor.kind !== "member") return draft?.personal ?? nobody;
  return draft !== undefined && draft.userId === visitor.userId ? draft.personal : visitor.personal;
}

export function useKeeping(flow: Flow, { userId }: Visitor, isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return;
    const isOver = flow.verdict?.kind === "succeeded" || flow.verdict?.kind === "refunded";
    if (isOver) dropDraft();
    else keepDraft({ ...flow, userId });
  }, [flow, userId, isReady]);
}

/** A payment sent in another tab shows here too, so that nobody pays twice; a draft dropped there is gone here. */
export function useOtherTabs(flow: Flow, visitor: Visitor, tell: Tell, isReady: boolean): void {
  const isFree = isReady && flow.payment === undefined && flow.step < 5;
  useEffect(() => {
    if (!isFree) return;
    const listen = (event: StorageEvent) => {
      if (event.key !== DRAFT_KEY) return;
      const payment = findDraft(visitor.userId)?.payment;
      if (payment !== undefined) tell({ type: "reopened", payment });
      else if (event.newValue === null) {
        tell({ type: "opened", draft: undefined, personal: knownPersonal(visitor, undefined), step: 1 });
      }
    };
    addEventListener("storage", listen);
    return () => removeEventListener("storage", listen);
  }, [isFree, visitor, tell]);
}
