import type { Payee } from "#payments/checkout/ui/words.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { BuyerForm } from "./use-buyer.ts";
import type { Checkout } from "./use-checkout.ts";

export type MainProps = {
  readonly checkout: Checkout;
  readonly buyer: BuyerForm;
  readonly organisation: Payee & Pick<Organisation, "registration">;
  readonly slug: string;
};
