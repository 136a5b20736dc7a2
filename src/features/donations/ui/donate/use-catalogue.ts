import { type Checkout, checkoutCall } from "#payments/checkout/contract.ts";
import { askFor } from "#shared/ui/ask.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import { useLoad } from "#shared/ui/use-load.tsx";
import type { OfferedCategory } from "../../cart.ts";
import { listCategoriesCall } from "../../contract.ts";

export type Catalogue = { readonly categories: readonly OfferedCategory[]; readonly checkout: Checkout };

/** The categories, and the checkout's fees and payment methods. */
export function useCatalogue(known: { current: Catalogue | undefined }) {
  const load = async () => {
    const loading = Promise.all([askFor(listCategoriesCall), askFor(checkoutCall)]);
    // A refresh shows no loading overlay.
    const [{ categories }, checkout] = await (known.current === undefined ? whileLoading(loading) : loading);
    known.current = { categories, checkout };
    return known.current;
  };
  return useLoad(load, { known: known.current });
}
