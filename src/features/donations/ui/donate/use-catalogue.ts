import { useEffect, useState } from "react";
import { type Checkout, checkoutCall } from "#payments/checkout/contract.ts";
import { call } from "#shared/contract/call.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import { send } from "#shared/ui/send.ts";
import type { OfferedCategory } from "../../cart.ts";
import { listCategoriesCall } from "../../contract.ts";

export type Catalogue = { readonly categories: readonly OfferedCategory[]; readonly checkout: Checkout };

/** What can be given to, and what the checkout charges. `reload` asks again; what is known stays until then. */
export function useCatalogue(known: { current: Catalogue | undefined }) {
  const [catalogue, setCatalogue] = useState(known.current);
  const [hasFailed, setHasFailed] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads anew
  useEffect(() => {
    let isGone = false;
    setHasFailed(false);
    const loading = loadCatalogue();
    // Nobody waits for what only brings up to date.
    (known.current === undefined ? whileLoading(loading) : loading)
      .catch(() => undefined)
      .then((loaded) => {
        if (isGone) return;
        if (loaded === undefined) return setHasFailed(true);
        known.current = loaded;
        setCatalogue(loaded);
      });
    return () => {
      isGone = true;
    };
  }, [tries]);
  return { catalogue, hasFailed, reload: () => setTries((count) => count + 1) };
}

async function loadCatalogue(): Promise<Catalogue | undefined> {
  const [categories, checkout] = await Promise.all([call(send, listCategoriesCall), call(send, checkoutCall)]);
  if (!categories.ok || !checkout.ok) return undefined;
  return { categories: categories.data.categories, checkout: checkout.data };
}
