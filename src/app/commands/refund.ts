import { randomUUID } from "node:crypto";
import { commandLine, recordAct } from "#admin/audit.ts";
import { readReceiptNumber } from "#features/donations/receipt-number.ts";
import { findReceipt } from "#features/donations/server/receipt.ts";
import { type DocumentPayment, findDocumentPayment } from "#features/donations/server/store.ts";
import { findPaymentOfOrder } from "#features/tickets/server/store.ts";
import { keptOf } from "#payments/refunds/refund-rules.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import type { RefundReply } from "#payments/refunds/request-refund.ts";
import { readWords } from "#shared/config/read-words.ts";
import { dayInSydney, formatDollars } from "#shared/language.ts";
import type { Services } from "../services.ts";
import { type Command, print, runCommand } from "./command.ts";

/** Exit codes of `npm run refund`, for scripts. */
const DONE = 0;
const REFUSED = 1;
const NOT_KNOWN = 2;

const usage = `Refunds a donation or a ticket order, in full or in part.

  npm run refund -- R-000123                    everything that is left
  npm run refund -- R-000123 --amount 12.50     a part of it
  npm run refund -- R-000123 --reason "given twice"

Instead of a receipt number, you can give the reference of a donation (D-7KQ2-M9XW-4TBC) or a ticket order (T-7KQ2-M9XW-4TBC).
A full refund of an order cancels its tickets; a partial refund doesn't.
The same amount of the same payment is refunded only once a day, however often you run this. Add --again to refund it again.`;

type RefundArguments = {
  readonly document: { readonly receipt: number } | { readonly reference: string };
  /** As typed, for messages. */
  readonly name: string;
  readonly amountCents: number | null;
  readonly reason: string;
  readonly isAgain: boolean;
};

/** Reads the command line. @throws Error with a message for the operator. */
function readArguments(words: readonly string[]): RefundArguments {
  const options = {
    amount: { type: "string" },
    reason: { type: "string", default: "" },
    again: { type: "boolean", default: false },
  } as const;
  const { values, positionals } = readWords({ args: [...words], options, allowPositionals: true }, usage);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new Error(usage);
  const receipt = readReceiptNumber(name);
  if (receipt === null && !/^[DT](-[0-9A-Z]{4}){3}$/.test(name)) {
    throw new Error(
      `'${name}' is neither a receipt number such as R-000123 nor a reference such as D-7KQ2-M9XW-4TBC or T-7KQ2-M9XW-4TBC.`,
    );
  }
  if (values.reason.length > 500) throw new Error("Keep the reason to 500 characters.");
  return {
    document: receipt === null ? { reference: name } : { receipt },
    name,
    amountCents: values.amount === undefined ? null : readCents(values.amount),
    reason: values.reason.trim(),
    isAgain: values.again,
  };
}

function readCents(text: string): number {
  const [, dollars, cents = "00"] = /^\$?(\d{1,9})(?:\.(\d{2}))?$/.exec(text) ?? [];
  const amount = Number(dollars) * 100 + Number(cents);
  if (dollars === undefined || amount === 0) throw new Error("Write the amount in dollars, such as 12.50 or 12.");
  return amount;
}

type OrderPayment = NonNullable<Awaited<ReturnType<typeof findPaymentOfOrder>>>;
type Payment = DocumentPayment | OrderPayment;

async function findPayment(
  database: Services["database"],
  { document, name }: RefundArguments,
): Promise<Payment | undefined> {
  return name.startsWith("T-") ? findPaymentOfOrder(database, name) : findDocumentPayment(database, document);
}

/** For the audit trail: whose money is refunded. */
const subjectOf = (payment: Payment) =>
  "orderId" in payment
    ? { subject: "ticket_order", subjectId: payment.orderId }
    : { subject: "donation", subjectId: payment.donationId };

async function refund(services: Services, wanted: RefundArguments): Promise<number> {
  const { database, payments, now } = services;
  const payment = await findPayment(database, wanted);
  if (payment === undefined) {
    print(
      `There is no paid ${wanted.name.startsWith("T-") ? "order" : "donation"} ${wanted.name}. Nothing was refunded.`,
    );
    return REFUSED;
  }
  const key = `refund:${payment.attemptId}:${dayInSydney(now())}:${wanted.amountCents ?? "all"}`;
  const requestKey = wanted.isAgain ? `${key}:${randomUUID()}` : key;
  const open = (await payments.refunds.listOf(payment.attemptId)).find(
    ({ state, request_key }) => state !== "succeeded" && state !== "failed" && request_key !== requestKey,
  );
  if (open !== undefined && !wanted.isAgain) {
    print(`A refund of ${wanted.name} is under way, so no other was started. Add --again to start another.`);
    return report(services, payment, open, wanted.name);
  }
  const { reason, amountCents } = wanted;
  const asked = { attemptId: payment.attemptId, amountCents, requestKey, requestedBy: "staff", reason } as const;
  try {
    const reply = await payments.refunds.request(asked, (transaction, refund) => {
      const after = { amountCents: refund.amount_cents, refund: refund.order_reference };
      const act = { verb: "refund.make", ...subjectOf(payment), after, reason };
      return recordAct(transaction, commandLine, act, now());
    });
    if (!reply.ok) {
      print(`${describeProblem(reply, payment)} Nothing was refunded.`);
      return REFUSED;
    }
    if (reply.refund.state === "succeeded" || reply.refund.state === "failed") {
      print("This refund was already requested today and was not repeated. Add --again to refund it again.");
    }
    return await report(services, payment, await payments.refunds.run(reply.refund.id), wanted.name);
  } catch (error) {
    print(`${notKnown} The reason: ${(error as Error).message}`);
    return NOT_KNOWN;
  }
}

const notKnown =
  "Not known yet whether the money was refunded. The running site asks the provider until it knows, and " +
  "emails you if it cannot find out. Do not request this refund again.";

function describeProblem({ problem, leftCents }: Extract<RefundReply, { ok: false }>, { state }: Payment): string {
  switch (problem) {
    case "not_paid":
      return state === "disputed"
        ? "The payer has disputed this payment with the bank. Until that is decided, a refund could pay the money back twice."
        : "This has not been paid.";
    case "nothing_left":
      return "All of this payment has been refunded, or is about to be.";
    case "too_much":
      return `Only ${formatDollars(leftCents)} of this payment can still be refunded.`;
    case "key_reused":
      return "A different refund was requested under the same key. Add --again to request this one too.";
  }
}

/** Prints the outcome of a refund, always saying whether money has moved; returns the exit code. */
async function report(
  { database, payments }: Services,
  payment: Payment,
  { state, amount_cents, provider_status: reason }: Refund,
  name: string,
): Promise<number> {
  const amount = formatDollars(amount_cents);
  const because = reason === null ? "" : ` The reason: ${reason.replace(/\.?$/, ".")}`;
  switch (state) {
    case "succeeded": {
      const kept = keptOf(payment.amountCents, await payments.refunds.listOf(payment.attemptId));
      print(
        `Refunded: ${amount} of ${name}. ${kept === 0 ? "Nothing is left of it." : `${formatDollars(kept)} is kept.`}`,
      );
      print(await describeReceipt(database, payment));
      return DONE;
    }
    case "failed":
      print(`Refused: ${amount} of ${name} was not refunded.${because}`);
      return REFUSED;
    case "requested":
      print(
        `Not yet: ${amount} of ${name} is still to be refunded. The running site asks the provider again automatically, every ` +
          `hour if the payment has to settle first. Do not request this refund again.${because}`,
      );
      return NOT_KNOWN;
    default:
      print(`${amount} of ${name}. ${notKnown}`);
      return NOT_KNOWN;
  }
}

async function describeReceipt(database: Services["database"], payment: Payment): Promise<string> {
  if ("orderId" in payment) return "Tickets have no receipt; refunding the whole order cancels them.";
  const receipt = await findReceipt(database, payment.donationId);
  if (receipt === undefined) return "No receipt has been issued for it.";
  const { number, replaces } = receipt.data;
  if (receipt.voided !== null) return `Receipt ${number} is void.`;
  return replaces === null ? `Receipt ${number} is valid.` : `Receipt ${replaces} is void; ${number} replaces it.`;
}

export const refundCommand: Command = (words) => {
  const wanted = readArguments(words);
  return (services) => refund(services, wanted);
};

if (import.meta.main) await runCommand(refundCommand, REFUSED);
