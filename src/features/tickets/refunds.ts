import { formatDollars } from "#shared/money.ts";
import { dayInSydney, formatDay } from "#shared/sydney.ts";
import type { TicketOrder } from "./contract.ts";

export type TicketRefund = TicketOrder["refunds"][number];

const sayDay = (at: string) => formatDay(dayInSydney(new Date(at)));

/** How a refund stands, 'Refund of $50.00: paid on 24 November 2026', and what more there is to know. `now` is an ISO time. */
export function describeRefund(refund: TicketRefund, now: string): { readonly title: string; readonly detail: string } {
  const { amountCents, state, isSecondPayment, paidAt } = refund;
  const what = `Refund of ${formatDollars(amountCents)}${isSecondPayment ? " (you paid twice)" : ""}`;
  const detail = detailOf(refund, now);
  if (state === "delayed") return { title: `${what}: delayed`, detail };
  if (paidAt === null) return { title: `${what}: on its way`, detail };
  if (state === "taken_back") return { title: `${formatDollars(amountCents)} taken back on ${sayDay(paidAt)}`, detail };
  return { title: `${what}: paid on ${sayDay(paidAt)}`, detail };
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
      return "Our payment provider could not pay it. Our staff know and will pay it another way. You need do nothing.";
  }
}

function waitingDetail(expectedBy: string | null, now: string): string {
  if (expectedBy === null || expectedBy < now) {
    return "It is taking longer than usual. We try again every hour. If you have questions, please call us.";
  }
  return (
    "Part of a payment can be refunded only after the bank has settled the whole payment, which takes about a day. " +
    `We then pay it automatically, by ${sayDay(expectedBy)}.`
  );
}
