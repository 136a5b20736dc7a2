import type { CharityRegistration } from "#payments/checkout/ui/trust-block.tsx";
import type { Payee } from "#payments/checkout/ui/words.ts";
import type { BuyerFormState } from "./use-buyer.ts";
import type { TicketCheckout } from "./use-checkout.ts";

export type MainProps = {
  readonly checkout: TicketCheckout;
  readonly buyer: BuyerFormState;
  readonly organisation: Payee & { readonly registration: CharityRegistration };
  /** Where tickets are chosen. */
  readonly choicePath: string;
};
