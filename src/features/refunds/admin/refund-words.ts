import { formatWhen } from "#admin/format-when.ts";
import { providerNames } from "#payments/payment-words.ts";
import { explainRefusal } from "#payments/refunds/explain-refusal.ts";
import type { ProviderName } from "#payments/tables.ts";
import { formatDollars, plural } from "#shared/language.ts";
import type { RefundForm, ShownRefund } from "../server/shown-refund.ts";

/** `look` and `icon` as in `Status`; `text` says whether money has moved. */
type RefundStatus = {
  readonly look: "plain" | "off" | "act" | "warn" | "bad";
  readonly icon?: "back" | "void" | "query" | "clock";
  readonly label: string;
  readonly text: string;
};

/** Where the things are that can be refunded. */
export const subjectPaths = { donation: "/admin/donations", ticket_order: "/admin/orders" } as const;

/** How a donation and a ticket order are named on screens. */
export const subjectWords = {
  donation: { subject: "Donation", payer: "Donor", list: "Donations", nobody: "an anonymous donor" },
  ticket_order: {
    subject: "Ticket order",
    payer: "Buyer",
    list: "Ticket orders",
    nobody: "somebody whose details were erased",
  },
} as const;

/** Why nothing can be refunded. */
export const refusalWords = {
  donation: {
    notPaid: "No payment is on the books, so there is nothing to refund.",
    nothingLeft: "Nothing is left to refund.",
    allRefunded: "All of this donation has been refunded, or is about to be.",
    disputed: "The donor disputes this payment. Until their bank has decided, a refund could pay the money back twice.",
  },
  ticket_order: {
    notPaid: "No payment is on the books, so there is nothing to refund.",
    nothingLeft: "Nothing is left to refund.",
    allRefunded: "All of this order has been refunded, or is about to be.",
    disputed: "The buyer disputes this payment. Until their bank has decided, a refund could pay the money back twice.",
  },
} as const;

type Made = NonNullable<ShownRefund["refund"]>;

/** What is known about a refund. One that is only requested or unknown is never called refunded. */
export function describeRefund({
  request,
  refund,
  payment,
}: Pick<ShownRefund, "request" | "refund" | "payment">): RefundStatus {
  if (refund !== null) return describeMade(refund, payment);
  switch (request?.decision) {
    case "declined":
      return { look: "off", label: "Declined", text: "Nothing was refunded." };
    case "withdrawn":
      return { look: "off", label: "Withdrawn", text: "Nothing was refunded." };
    default:
      return {
        look: "act",
        label: "To approve",
        text: `Nothing has been ${request?.isReversal ? "reversed" : "refunded"} yet. A second person has to approve or decline it.`,
      };
  }
}

function describeMade(refund: Made, { state, provider }: ShownRefund["payment"]): RefundStatus {
  const name = providerNames[provider];
  switch (refund.state) {
    case "requested":
      return describeUnsent(refund, { provider, isDisputed: state === "disputed" });
    case "submitting":
      return {
        look: "warn",
        icon: "clock",
        label: "Being sent",
        text: `${name} has been asked and has not answered yet. Whether the money has gone back is not known.`,
      };
    case "unknown":
      return {
        look: "warn",
        icon: "query",
        label: "Not known",
        text: `${name}’s answer was lost, so it is not known whether the money has gone back. We keep asking ${name} until it is. Do not refund it again.`,
      };
    case "failed":
      return describeFailed(refund, provider);
    case "succeeded":
      return describeDone(refund, { name, provider });
  }
}

function describeUnsent(
  { providerStatus }: Made,
  { provider, isDisputed }: { provider: ProviderName; isDisputed: boolean },
): RefundStatus {
  const name = providerNames[provider];
  const waits = { look: "warn", icon: "clock", label: "Not sent yet" } as const;
  if (isDisputed) {
    return {
      ...waits,
      text: "Nothing has been refunded. The payer disputes the payment with their bank, so this waits until that is decided: otherwise the money could go back twice.",
    };
  }
  if (providerStatus === null) {
    return { ...waits, look: "plain", text: `Nothing has been refunded yet. It goes to ${name} within a minute.` };
  }
  return {
    ...waits,
    text: `Nothing has been refunded yet. ${explainRefusal(providerStatus, provider)} We ask ${name} again by ourselves, at least every hour, for ten days. Do not refund it again.`,
  };
}

function describeFailed({ providerStatus, nextCheckAt, byHand }: Made, provider: ProviderName): RefundStatus {
  const name = providerNames[provider];
  const because = providerStatus === null ? "" : ` ${explainRefusal(providerStatus, provider)}`;
  if (byHand !== null) {
    return {
      look: "off",
      label: "Dealt with by hand",
      text: `${name} did not make this refund.${because} ${byHand.by} noted on ${formatWhen(byHand.at)} that it was dealt with by hand. The ledger knows nothing of that.`,
    };
  }
  const looking = nextCheckAt === null ? "" : ` For a week we look every day whether ${name} made it after all.`;
  return {
    look: "bad",
    label: "Not refunded",
    text: `${name} did not make this refund.${because}${looking}`,
  };
}

function describeDone(
  { kind, requestedBy }: Made,
  { name, provider }: { name: string; provider: ProviderName },
): RefundStatus {
  switch (kind) {
    case "refund":
      return {
        look: "plain",
        icon: "back",
        label: "Refunded",
        text:
          provider === "payway"
            ? "PayWay returned it to the card that paid. Most banks show it within five to ten business days."
            : "PayPal returned it to the payer’s payment method. It usually appears there within a few business days.",
      };
    case "void":
      return {
        look: "plain",
        icon: "void",
        label: "Charge cancelled",
        text: `${name} cancelled the charge before it was complete. It may disappear from the payer’s statement instead of showing as a refund.`,
      };
    case "reversal":
      if (requestedBy === "staff") {
        return {
          look: "plain",
          icon: "void",
          label: "Reversed",
          text: `${name} does not have this charge, so no money went back. The payment is off our books.`,
        };
      }
      return {
        look: "plain",
        icon: "back",
        label: "Taken back",
        text: `${name} took the payment back by itself, because it could not collect it. Nobody here asked for this.`,
      };
    case "chargeback":
      return {
        look: "plain",
        icon: "back",
        label: "Dispute lost",
        text: "The payer’s bank took the money back after a dispute. Nobody here asked for this.",
      };
  }
}

/** Who requested it: a person, or what else can. */
export function nameRequester({ request, refund, payment }: ShownRefund): string {
  if (request !== null) return request.by.name;
  switch (refund?.requestedBy) {
    case "provider":
      return providerNames[payment.provider];
    case "system":
      return "The site itself";
    default:
      return "A command on the server";
  }
}

/** Shown instead of refunding an amount other than the one on the button. */
export const askToCheck = (cents: number): string =>
  `Nothing was sent yet. Check what happens with ${formatDollars(cents)}, then send it.`;

/** What will happen if a payment is reversed that the provider does not have. */
export function describeReversalEffects({ payment, receipt, of }: RefundForm): RefundEffect[] {
  const name = payment === null ? "The provider" : providerNames[payment.provider];
  const isGift = of.kind === "donation";
  return [
    { title: "The money", text: `None goes back: ${name} does not have this charge. We ask ${name} once more first.` },
    { title: "The books", text: "The ledger’s entries of this payment are reversed, and the difference is closed." },
    isGift
      ? {
          title: "The receipt",
          text: receipt === null ? "No valid receipt was issued." : `Receipt ${receipt} becomes void.`,
        }
      : { title: "The tickets", text: "All become void, and their seats are free again." },
    {
      title: isGift ? "The donor" : "The buyer",
      text: of.hasEmail
        ? `An email says that the payment did not reach us${isGift ? ", and that the receipt is void" : ""}.`
        : "Their details were erased, so no email is sent.",
    },
  ];
}

type RefundEffect = { readonly title: string; readonly text: string };

/** What will happen if this amount is refunded, in the order in which it does. `tickets` are cancelled with it. */
export function describeEffects(form: RefundForm, amountCents: number, tickets: number): RefundEffect[] {
  const { payment, leftCents, of } = form;
  if (payment === null) return [];
  const keptCents = leftCents - amountCents;
  const money = { title: "The money", text: describeMoneyEffect(form, payment, amountCents) };
  return of.kind === "donation"
    ? [money, ...describeDonationEffects(form, keptCents)]
    : [money, ...describeOrderEffects(form, { keptCents, tickets })];
}

function describeDonationEffects({ receipt, of }: RefundForm, keptCents: number): RefundEffect[] {
  const kept = formatDollars(keptCents);
  return [
    {
      title: "The receipt",
      text:
        receipt === null
          ? "No valid receipt has been issued for this donation."
          : keptCents === 0
            ? `Receipt ${receipt} becomes void once the money has gone back.`
            : `Once the money has gone back, receipt ${receipt} becomes void, and a new one for the ${kept} that we keep takes its place.`,
    },
    {
      title: "The donor",
      text: of.hasEmail
        ? "An email tells the donor what was refunded, when it arrives, and which receipt counts. It does not say the reason."
        : "The donor’s details were erased, so no email is sent.",
    },
  ];
}

function describeOrderEffects(
  { of, tickets: valid }: RefundForm,
  { keptCents, tickets }: { keptCents: number; tickets: number },
): RefundEffect[] {
  return [
    { title: "The tickets", text: describeTicketEffect({ valid: valid.length, cancelled: tickets, keptCents }) },
    {
      title: "The buyer",
      text: of.hasEmail
        ? "An email tells the buyer what is refunded, and which tickets stay valid. It does not say the reason."
        : "The buyer’s details were erased, so no email is sent.",
    },
  ];
}

function describeTicketEffect({
  valid,
  cancelled,
  keptCents,
}: {
  valid: number;
  cancelled: number;
  keptCents: number;
}): string {
  if (valid === 0) return "None are valid any more.";
  if (cancelled === 0) {
    return keptCents === 0
      ? "Nothing is left of the payment then, so all tickets become void once the money has gone back."
      : "All stay valid.";
  }
  if (cancelled === valid) {
    return plural(cancelled, {
      one: "The ticket is cancelled immediately, and its seat is free again.",
      other: `All ${cancelled} tickets are cancelled immediately, and their seats are free again.`,
    });
  }
  return plural(cancelled, {
    one: "One ticket is cancelled immediately, and its seat is free again. The others stay valid.",
    other: `${cancelled} tickets are cancelled immediately, and their seats are free again. The others stay valid.`,
  });
}

function describeMoneyEffect(
  { leftCents }: RefundForm,
  { provider, amountCents: chargedCents, mayBeUnsettled, settledBy }: NonNullable<RefundForm["payment"]>,
  amountCents: number,
): string {
  const name = providerNames[provider];
  const way =
    provider === "payway"
      ? "PayWay returns it to the card that paid. Most banks show it within five to ten business days."
      : "PayPal returns it to the payer’s payment method. It usually appears there within a few business days.";
  if (!mayBeUnsettled) return way;
  return amountCents === chargedCents && leftCents === chargedCents
    ? `${way} If the charge is not complete yet, ${name} cancels it instead, and it may disappear from the payer’s statement.`
    : `${way} A part can go back only once the charge is complete: until then we ask ${name} every hour, probably to ${formatWhen(settledBy)} at the latest.`;
}
