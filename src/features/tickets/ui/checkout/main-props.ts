import type { Payee } from "#payments/checkout/ui/words.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { BuyerFormState } from "./use-buyer.ts";
import type { TicketCheckout } from "./use-checkout.ts";

export type MainProps = {
  readonly checkout: TicketCheckout;
  readonly buyer: BuyerFormState;
  readonly organisation: Payee & Pick<Organisation, "registration">;
  readonly slug: string;
};
