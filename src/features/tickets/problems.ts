import { nameProblems } from "#shared/errors.ts";

export const ticketProblems = nameProblems({
  seats_gone: { status: 409, text: "There are not enough seats left. Please choose fewer." },
  hold_lapsed: {
    status: 409,
    text: "The time to pay for your seats ran out. Please choose them again.",
  },
  not_on_sale: { status: 409, text: "These tickets are not on sale." },
  sales_stopped: {
    status: 409,
    text: "Tickets for this event are not on sale now. Please see the event’s page, or ask the organiser.",
  },
  not_sold_out: {
    status: 409,
    text: "These tickets are on sale, so there is nothing to wait for. Please choose them.",
  },
  too_many_entries: {
    status: 429,
    text: "Too many people have joined a waiting list from your network. Please try again in an hour, or from another network.",
  },
  code_refused: { status: 409, text: "This discount code cannot be used now." },
  order_closed: { status: 409, text: "This order is paid already.", money: "charged_before" },
  cannot_cancel: {
    status: 409,
    text: "These tickets can no longer be cancelled online. Please call or email us. Nothing has changed.",
  },
  too_many_holds: {
    status: 429,
    text: "Too many unpaid seats are held from your network. Please try again in a few minutes, or from another network.",
  },
});
