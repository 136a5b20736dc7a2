import { formatDollars } from "#shared/language.ts";
import type { Move } from "./moves.ts";
import type { IconName } from "./ui/icon.tsx";
import type { StatusLook } from "./ui/status.tsx";

/** What can be refunded: the id of a donation or of a ticket order. */
export type RefundedSubject = { readonly kind: "donation" | "ticket_order"; readonly id: string };

/** The refunds of one thing, as its own page shows them. */
export type RefundPanelData = {
  readonly refunds: readonly {
    readonly id: string;
    readonly amountCents: number;
    readonly look: StatusLook;
    readonly icon?: IconName;
    readonly label: string;
    readonly text: string;
  }[];
  /** Zero if nothing can be refunded now; `refusal` then says why, unless a request waits. */
  readonly leftCents: number;
  readonly refusal: string | null;
  /** The request that waits for approval, if there is one. */
  readonly waiting: { readonly id: string; readonly amountCents: number; readonly at: Date } | null;
  /** Where the form is. */
  readonly path: string;
};

/** The refund that waits for approval as a move, if there is one. */
export function listWaitingRefund({ waiting }: RefundPanelData): Move[] {
  if (waiting === null) return [];
  const { id, amountCents, at } = waiting;
  const text = `A refund of ${formatDollars(amountCents)} waits for approval`;
  return [{ key: `waiting ${id}`, at, icon: "clock", text, path: `/admin/refunds/${id}` }];
}

declare module "./screen.ts" {
  interface AdminReads {
    readonly readRefundPanel: (of: RefundedSubject) => Promise<RefundPanelData>;
  }
}
