import type { Missing } from "#payments/checkout/ui/pay-by-card.tsx";
import { HOLD_OVER_ID } from "./hold-over.tsx";
import type { BuyerFormState } from "./use-buyer.ts";
import type { TicketCheckout } from "./use-checkout.ts";

/** What must be fixed elsewhere on the page before paying. */
export function missingOf({ flow }: TicketCheckout, { missing, showFaults }: BuyerFormState): Missing | undefined {
  if (flow.isAsking) return { text: "Holding your seats. One moment, please.", show: () => {} };
  if (!flow.isHeld) {
    const show = () => document.getElementById(HOLD_OVER_ID)?.focus();
    return { text: "Hold your seats again above before you pay.", show };
  }
  return missing === undefined ? undefined : { text: missing, show: () => void showFaults() };
}
