import { useState } from "react";
import type { Draft } from "../../draft.ts";
import { dropDraft, findDraft, keepDraft } from "../draft-storage.ts";

/** What this tab keeps of the tickets that are being bought; with storage switched off, for as long as the page lives. */
export function useKeptDraft(event: string): KeptDraft {
  const [kept] = useState(() => openDraft(event));
  return kept;
}

function openDraft(event: string) {
  let draft: Draft | undefined;
  return {
    now: () => draft,
    /** Also what another page of this tab has changed meanwhile. */
    read(): Draft | undefined {
      draft = findDraft(event) ?? draft;
      return draft;
    },
    keep(changes: Partial<Pick<Draft, "order" | "buyer" | "method">>) {
      if (draft === undefined) return;
      draft = { ...draft, ...changes };
      keepDraft(draft);
    },
    /** Nothing is kept from now on. */
    drop() {
      draft = undefined;
      dropDraft(event);
    },
  };
}

export type KeptDraft = ReturnType<typeof openDraft>;
