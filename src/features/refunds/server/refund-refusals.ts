import type { TwoPeopleRule } from "#admin/two-people.ts";
import type { Attempt } from "#payments/attempts.ts";
import type { PaymentSubject } from "#payments/context.ts";
import type { RefundReply } from "#payments/refunds/request-refund.ts";
import { formatDollars } from "#shared/language.ts";

/** Why the payments module refused. Nothing was refunded. */
export function describeProblem(
  { problem, leftCents }: Pick<Extract<RefundReply, { ok: false }>, "problem" | "leftCents">,
  kind: PaymentSubject["kind"],
  { state }: Pick<Attempt, "state">,
): string {
  switch (problem) {
    case "not_paid":
      return state === "disputed" ? refusals[kind].disputed : refusals[kind].notPaid;
    case "nothing_left":
      return refusals[kind].nothingLeft;
    case "too_much":
      return refusals[kind].tooMuch(formatDollars(leftCents));
    case "key_reused":
      return "This form was already sent for another refund. Nothing more was done.";
  }
}

/** Why nothing was refunded. */
export const refusals = {
  donation: {
    notPaid: "This donation has not been paid, so there is nothing to refund.",
    notPaidAnyMore: "This donation is not paid any more, so nothing was refunded.",
    disputed:
      "The donor disputes this payment with their bank. Until that is decided, a refund could pay the money back twice. Nothing was refunded.",
    nothingLeft: "All of this donation has been refunded, or is about to be. Nothing more was refunded.",
    tooMuch: (left: string) =>
      `Only ${left} of this donation can still be refunded, because another refund was made in the meantime. Nothing was refunded.`,
    changed: (left: string) =>
      `Another refund of this donation was made since this page was shown. ${left} is left now. Please check the amount.`,
    waits: (amount: string) =>
      `A refund of ${amount} of this donation is already waiting for a second person. It has to be decided first.`,
  },
  ticket_order: {
    notPaid: "This order has not been paid, so there is nothing to refund.",
    notPaidAnyMore: "This order is not paid any more, so nothing was refunded.",
    disputed:
      "The buyer disputes this payment with their bank. Until that is decided, a refund could pay the money back twice. Nothing was refunded.",
    nothingLeft: "All of this order has been refunded, or is about to be. Nothing more was refunded.",
    tooMuch: (left: string) =>
      `Only ${left} of this order can still be refunded, because another refund was made in the meantime. Nothing was refunded.`,
    changed: (left: string) =>
      `Another refund of this order was made since this page was shown. ${left} is left now. Please check the amount.`,
    waits: (amount: string) =>
      `A refund of ${amount} of this order is already waiting for a second person. It has to be decided first.`,
  },
} as const;

/** Who requests a refund, and who decides about one above the limit. */
export const refundRule: TwoPeopleRule = {
  requests: "refunds.make",
  decides: "refunds.make",
  refusals: {
    mayNotDecide: "You may no longer make refunds. An administrator can give you a role that may.",
    mayNotRequest: (requester) =>
      `${requester} may no longer make refunds, so this would not be two people’s decision. Decline it, and request the refund yourself.`,
    approvesOwn: "You requested this refund, so someone else has to approve it.",
    declinesOwn: "You requested this refund. You can withdraw it, but someone else decides.",
    withdrawsAnothers: "Someone else requested this refund. You can approve or decline it.",
    approved: "This refund was approved already. It is made once.",
    declined: "This request was declined in the meantime. Nothing was refunded.",
    withdrawn: "This request was withdrawn in the meantime. Nothing was refunded.",
  },
};
