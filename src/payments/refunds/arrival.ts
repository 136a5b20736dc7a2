import type { ProviderName, RefundKind } from "../tables.ts";

/** Where a refund arrives, and about when. `kind` is null until it is known. */
export function describeArrival({ kind, provider }: { kind: RefundKind | null; provider: ProviderName }): string {
  if (kind === "void") {
    return "We cancelled the charge before it was complete, so it may disappear from your statement within a few days instead of showing as a refund.";
  }
  return provider === "braintree"
    ? "PayPal returns it to your original payment method. It usually appears there within a few business days."
    : "It goes back to the card you paid with. Most banks show it within five to ten business days.";
}
