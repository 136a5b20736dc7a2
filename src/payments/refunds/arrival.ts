import type { ProviderName, RefundKind } from "../tables.ts";

/** Where money that goes back arrives, and about when. `kind` is null while it is not known how it goes back. */
export function sayArrival({ kind, provider }: { kind: RefundKind | null; provider: ProviderName }): string {
  if (kind === "void") {
    return "The charge was taken back before it was complete, so it may disappear from your statement within a few days instead of showing as a refund.";
  }
  return provider === "braintree"
    ? "PayPal returns it to where you paid from. It usually shows there within a few business days."
    : "It goes back to the card that you paid with. Most banks show it within five to ten business days.";
}
