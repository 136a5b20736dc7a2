import { useState } from "react";
import type { OrderDraft } from "../../draft.ts";
import { dropDraft, findDraft, keepDraft } from "../draft-storage.ts";

/** The draft kept in this tab; without storage, it lasts as long as the page. */
export function useKeptDraft(event: string): KeptDraft {
  const [kept] = useState(() => openDraft(event));
  return kept;
}

function openDraft(event: string) {
  let draft: OrderDraft | undefined;
  return {
    now: () => draft,
    /** Includes changes by other pages in this tab. */
    read(): OrderDraft | undefined {
      draft = findDraft(event) ?? draft;
      return draft;
    },
    keep(changes: Partial<Pick<OrderDraft, "order" | "buyer" | "method" | "discount">>) {
      if (draft === undefined) return;
      draft = { ...draft, ...changes };
      keepDraft(draft);
    },
    drop() {
      draft = undefined;
      dropDraft(event);
    },
  };
}

export type KeptDraft = ReturnType<typeof openDraft>;
