import { dayInSydney, formatDay, formatDollars } from "#shared/language.ts";
import type { TicketOrder } from "./contract.ts";

export type TicketRefund = TicketOrder["refunds"][number];

const formatSydneyDay = (at: string) => formatDay(dayInSydney(new Date(at)));

/** A refund's status, 'Refund of $50.00: paid on 24 November 2026', and the details. `now` is an ISO time. */
export function describeRefund(refund: TicketRefund, now: string): { readonly title: string; readonly detail: string } {
  const { amountCents, state, isSecondPayment, paidAt } = refund;
  const amount = formatDollars(amountCents);
  const detail = (isSecondPayment ? "You had paid twice. " : "") + detailOf(refund, now);
  if (state === "delayed") return { title: `Refund of ${amount}: delayed`, detail };
  if (paidAt === null) return { title: `Refund of ${amount}: on its way`, detail };
  if (state === "taken_back") return { title: `${amount} taken back on ${formatSydneyDay(paidAt)}`, detail };
  return { title: `Refund of ${amount}: paid on ${formatSydneyDay(paidAt)}`, detail };
}

function detailOf({ state, expectedBy, arrival }: TicketRefund, now: string): string {
  switch (state) {
    case "waiting":
      return waitingDetail(expectedBy, now);
    case "on_its_way":
      return `We have asked our payment provider to pay it. ${arrival}`;
    case "paid":
      return arrival;
    case "taken_back":
      return "Your bank or PayPal took this payment back. It did not come from us.";
    case "delayed":
      return "Our payment provider could not pay it. Our staff know and will pay it another way. You do not need to do anything.";
  }
}

function waitingDetail(expectedBy: string | null, now: string): string {
  if (expectedBy === null || expectedBy < now) {
    return "It is taking longer than usual. We try again every hour. Questions? Please call us.";
  }
  return (
    "Part of a payment can be refunded only after the bank has settled the whole payment, which takes about a day. " +
    `We then pay it automatically, by ${formatSydneyDay(expectedBy)}.`
  );
}
