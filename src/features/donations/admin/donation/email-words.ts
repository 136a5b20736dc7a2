/** Emails of the outbox by their template, `receipt-copy` with its reason: who gets which email. */
export const emailWords: Readonly<Record<string, string>> = {
  receipt: "The receipt, with thanks, for the donor",
  "receipt-copy": "The receipt once more, for the donor",
  "receipt-copy again": "The receipt once more, for the donor",
  "receipt-copy address": "The receipt, for the donor’s corrected address",
  "receipt-copy name": "The receipt with the corrected name, for the donor",
  "receipt-copy fund": "The receipt with the corrected fund, for the donor",
  "new-link": "A new link to the receipt, for the donor",
  "new-donation": "News of the donation, for us",
  "payment-outcome": "News that nothing was charged, for the donor",
  "payment-needs-check": "A payment to check, for us",
  refund: "News of the refund, for the donor",
  "refund-needs-check": "A refund to check, for us",
};
