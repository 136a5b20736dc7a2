import { emailStates, latestFirst, type Move } from "#admin/moves.ts";
import { refundAuditWords } from "#admin/refund-audit-words.ts";
import {
  describeTakenBack,
  eventIcons,
  paymentEventWords,
  providerNames,
  refundEventWords,
} from "#payments/payment-words.ts";
import { formatDollars } from "#shared/language.ts";
import { formatReceiptNumber } from "../../receipt-number.ts";
import { deductibleCents } from "../../server/donation-sums.ts";
import type { DetailedReceipt } from "../../server/one-donation/donation-details.ts";
import { donationAuditWords } from "../audit-words.ts";
import { emailWords } from "./email-words.ts";
import type { ShownDonation } from "./find-donation.ts";

/** Everything that happened to a donation, latest first. */
export function listMoves(donation: ShownDonation): Move[] {
  return latestFirst([
    ...paymentMoves(donation),
    ...refundMoves(donation),
    ...receiptMoves(donation),
    ...emailMoves(donation),
    ...staffMoves(donation),
  ]);
}

function paymentMoves({ events, payments, created_at }: ShownDonation): Move[] {
  if (events.length === 0) return [{ key: "sent", at: created_at, icon: "drop", text: "The donor sent the donation." }];
  return events.flatMap(({ id: eventId, event, from_state, provider, at, attempt_id }): Move[] => {
    const key = `payment ${eventId}`;
    const words = paymentEventWords[event];
    if (words === undefined) return [];
    const icon = (eventIcons as Readonly<Record<string, Move["icon"]>>)[event] ?? "clock";
    if (event === "submission_started" && from_state === null) {
      return [
        { key, at, icon, text: `The donor sent the donation, and the charge went to ${providerNames[provider]}.` },
      ];
    }
    const { provider_transaction_id: transaction = null } = payments.find(({ id }) => id === attempt_id) ?? {};
    const isPaid = icon === "ok" && transaction !== null && event !== "dispute_won";
    return [
      { key, at, icon, text: words(providerNames[provider]), ...(isPaid && { detail: `Transaction ${transaction}` }) },
    ];
  });
}

function refundMoves({ refundEvents }: ShownDonation): Move[] {
  return refundEvents.flatMap((row): Move[] => {
    const takenBack = row.event === "refund_found" ? describeTakenBack(row) : undefined;
    const text = takenBack ?? refundEventWords[row.event]?.(row);
    if (text === undefined) return [];
    const isRequest = row.event === "refund_requested" && row.reason !== "";
    return [{ key: `refund ${row.id}`, at: row.at, icon: "back", text, ...(isRequest && { quote: row.reason }) }];
  });
}

function receiptMoves({ receipts }: ShownDonation): Move[] {
  return receipts.flatMap((receipt): Move[] => {
    const { number, issued_at, voided_at, replaces } = receipt;
    const name = formatReceiptNumber(number);
    const hasSuccessor = receipts.some((other) => other.replaces === number);
    const replaced = receipts.find((other) => other.number === replaces);
    const issued: Move =
      replaced === undefined
        ? { key: `receipt ${number}`, at: issued_at, icon: "receipt", text: `Receipt ${name} was issued.` }
        : {
            key: `receipt ${number}`,
            at: issued_at,
            icon: "receipt",
            text: `Receipt ${name} took the place of ${formatReceiptNumber(replaced.number)}, which is void.`,
            ...describeDifference(replaced, receipt),
          };
    if (voided_at === null || hasSuccessor) return [issued];
    return [issued, { key: `void ${number}`, at: voided_at, icon: "void", text: `Receipt ${name} became void.` }];
  });
}

/** The first thing in which a receipt differs from the one that it replaced. */
function describeDifference(replaced: DetailedReceipt, receipt: DetailedReceipt): Pick<Move, "detail"> {
  const [before, after] = [replaced.data, receipt.data];
  if (before === null || after === null) return {};
  if (before.donorName !== after.donorName) {
    return { detail: `It says ${after.donorName ?? "no name"} instead of ${before.donorName ?? "no name"}.` };
  }
  const [was, is] = [deductibleCents(before), deductibleCents(after)];
  return was === is ? {} : { detail: `Its gift is ${formatDollars(is)} instead of ${formatDollars(was)}.` };
}

function emailMoves({ emails }: ShownDonation): Move[] {
  return emails.map(({ id, template, because, state, at, completedAt }) => ({
    key: `email ${id}`,
    at: completedAt ?? at,
    icon: state === "failed" ? "alert" : "mail",
    text: `Email: ${emailWords[because === null ? template : `${template} ${because}`] ?? template}.`,
    detail: emailStates[state],
  }));
}

function staffMoves({ acts, ledger }: ShownDonation): Move[] {
  return acts.map(({ id, at, actor, verb, before, after, reason }) => ({
    key: `act ${id}`,
    at,
    who: actor,
    icon: verb === "donation.note" ? "note" : "user",
    text:
      verb === "donation.move-fund"
        ? describeMovedFund({ at, before, after }, ledger)
        : wordsOf(verb, { before, after }),
    ...(reason !== "" && { quote: reason }),
  }));
}

type Changes = {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
};

/** The audit trail never names a fund that shows faith; the ledger of that moment does, for whoever may see it. */
function describeMovedFund({ at, before, after }: Changes & { at: Date }, ledger: ShownDonation["ledger"]): string {
  const booked = ledger.filter((entry) => entry.at.getTime() === at.getTime() && entry.refund_id === null);
  const from = booked.find(({ amount_cents }) => amount_cents > 0)?.fundTitle ?? before.fund;
  const to = booked.find(({ amount_cents }) => amount_cents < 0)?.fundTitle ?? after.fund;
  return `moved ${formatDollars(Number(after.cents))} from ${from} to ${to}.`;
}

function wordsOf(verb: string, { before, after }: Changes): string {
  switch (verb) {
    case "donation.note":
      return "noted:";
    case "donation.correct-email":
      return `corrected the email address: ${before.email} is now ${after.email}.`;
    case "donation.correct-name":
      return `corrected the name on receipt ${before.receipt}.`;
    default: {
      const words: Readonly<Record<string, string>> = { ...donationAuditWords, ...refundAuditWords };
      return `${words[verb] ?? `did “${verb}” to`} this donation.`;
    }
  }
}
