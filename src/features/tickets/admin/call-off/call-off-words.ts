import { formatDollars, formatList, formatNumber, plural } from "#shared/language.ts";
import type { CallOffOutlook } from "../../server/call-off/call-off-figures.ts";

type Effect = { readonly title: string; readonly text: string };

/** What calling off the event does, in the order in which it happens. `isAsked`: sales are stopped already. */
export function describeCallOffEffects(outlook: CallOffOutlook, { isAsked }: { readonly isAsked: boolean }): Effect[] {
  return [
    { title: "Orders", text: describeOrders(outlook) },
    { title: "The money", text: describeRefunds(outlook) },
    {
      title: "Sales",
      text: isAsked
        ? "They are stopped. If this is declined, they go on."
        : "They stop as soon as you ask. If it is declined, they go on. Whoever is paying at that moment is refunded once it is approved.",
    },
    {
      title: "The public page",
      text: isAsked
        ? "It says that tickets are not on sale at the moment. Once this is approved, it says that the event has been called off."
        : "It says that tickets are not on sale at the moment, and once it is approved, that the event has been called off.",
    },
    { title: "Emails", text: describeEmails(outlook) },
  ];
}

function describeEmails({ orders, withoutEmail }: CallOffOutlook): string {
  const emails = plural(orders, {
    one: "Once it is approved, one email goes to the buyer.",
    other: "Once it is approved, one email goes out for each order.",
  });
  const untold = plural(withoutEmail, {
    one: "1 order has no email address: tell its buyer yourselves.",
    other: `${formatNumber(withoutEmail)} orders have no email address: tell their buyers yourselves.`,
  });
  return [withoutEmail < Math.max(1, orders) && emails, withoutEmail > 0 && untold].filter(Boolean).join(" ");
}

function describeOrders({ orders, tickets, people }: CallOffOutlook): string {
  if (orders === 0) return "Nobody has a ticket.";
  const [allTickets, buyers] = [countTickets(tickets), countPeople(people)];
  return plural(orders, {
    one: `1 order with ${allTickets} of ${buyers} is cancelled. No ticket is valid any more.`,
    other: `${formatNumber(orders)} orders with ${allTickets} of ${buyers} are cancelled. No ticket is valid any more.`,
  });
}

export const countTickets = (count: number) =>
  plural(count, { one: "1 ticket", other: `${formatNumber(count)} tickets` });
const countPeople = (count: number) => plural(count, { one: "1 person", other: `${formatNumber(count)} people` });

function describeRefunds({ refunds: { payway, braintree }, takenCents, free, undecided }: CallOffOutlook): string {
  const methods = [
    ...(payway > 0 ? [`${formatDollars(payway)} by card`] : []),
    ...(braintree > 0 ? [`${formatDollars(braintree)} by PayPal`] : []),
  ];
  return [
    methods.length > 0 && `It all goes back: ${formatList(methods, "and")}.`,
    methods.length === 0 && takenCents === 0 && "Nothing has to be refunded.",
    takenCents > 0 && `${formatDollars(takenCents)} was taken at the door: give it back yourselves.`,
    free > 0 && plural(free, { one: "1 order cost nothing.", other: `${formatNumber(free)} orders cost nothing.` }),
    undecided > 0 &&
      plural(undecided, {
        one: "1 payment is not confirmed yet. If it is charged, it is refunded too.",
        other: `${formatNumber(undecided)} payments are not confirmed yet. Whatever is charged is refunded too.`,
      }),
  ]
    .filter(Boolean)
    .join(" ");
}

/** All that is refunded, in cents. */
export const sumRefunds = ({ refunds: { payway, braintree } }: CallOffOutlook): number => payway + braintree;
