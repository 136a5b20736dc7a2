/** The audit trail's words for each act: 'Amina Raza requested a refund of donation D-…'. */
export const refundAuditWords = {
  "refund.make": "started a refund of",
  "refund.request": "requested a refund of",
  "refund.reverse": "reversed the payment, which the provider does not have, of",
  "refund.request-reversal": "requested to reverse the payment of",
  "refund.approve": "approved a refund of",
  "refund.decline": "declined a refund of",
  "refund.withdraw": "withdrew a request for a refund of",
  "refund.by_hand": "noted that a failed refund was dealt with by hand, of",
} as const;
