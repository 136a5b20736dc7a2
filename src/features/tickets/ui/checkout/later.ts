import type { Payee } from "#payments/checkout/ui/words.ts";
import type { Organisation } from "#shared/organisation.ts";
import { fetchLater } from "#shared/ui/form-later.tsx";
import type { BuyerForm } from "./use-buyer.ts";
import type { Checkout } from "./use-checkout.ts";

export type MainProps = {
  readonly checkout: Checkout;
  readonly buyer: BuyerForm;
  readonly organisation: Payee & Pick<Organisation, "registration">;
  readonly slug: string;
};

/** The code of paying and of what comes after. */
export const laterPart = fetchLater(() => import("./later-part.tsx"));
