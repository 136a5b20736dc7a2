import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { findReceipt, readReceiptNumber } from "#features/donations/server/receipt.ts";
import { findPaymentOf, type PaperPayment } from "#features/donations/server/store.ts";
import { findPaymentOfOrder } from "#features/tickets/server/store.ts";
import { keptOf } from "#payments/refunds/refund-rules.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import type { RefundReply } from "#payments/refunds/request-refund.ts";
import { formatDollars } from "#shared/money.ts";
import { dayInSydney } from "#shared/sydney.ts";
import type { Services } from "../services.ts";
import { runCommand, say } from "./command.ts";

/** What `npm run refund` ends with; scripts go by it. */
const DONE = 0;
const REFUSED = 1;
const NOT_KNOWN = 2;

const usage = `Gives a donation or what tickets cost back, whole or in part.

  npm run refund -- R-000123                    all that is left
  npm run refund -- R-000123 --amount 12.50     a part of it
  npm run refund -- R-000123 --reason "given twice"

Instead of the receipt's number the donation's reference will do, D-7KQ2-M9XW-4TBC, and of tickets that of their order: T-7KQ2-M9XW-4TBC.
When all of an order goes back, its tickets are cancelled; after a part they stay as they are.
The same amount of the same payment is given back once a day, however often this is called; --again says that another one is meant.`;

type Wish = {
  readonly paper: { readonly receipt: number } | { readonly reference: string };
  /** As it was typed, to be said again. */
  readonly name: string;
  readonly amountCents: number | null;
  readonly reason: string;
  readonly isAgain: boolean;
};

/** The wish that the command line holds. @throws Error with a sentence for the person at the terminal. */
function readWish(words: string[]): Wish {
  const options = {
    amount: { type: "string" },
    reason: { type: "string", default: "" },
    again: { type: "boolean", default: false },
  } as const;
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new Error(usage);
  const receipt = readReceiptNumber(name);
  if (receipt === null && !/^[DT](-[0-9A-Z]{4}){3}$/.test(name)) {
    throw new Error(
      `'${name}' is no receipt such as R-000123, and no reference such as D-7KQ2-M9XW-4TBC or T-7KQ2-M9XW-4TBC.`,
    );
  }
  if (values.reason.length > 500) throw new Error("Keep the reason to 500 characters.");
  return {
    paper: receipt === null ? { reference: name } : { receipt },
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

/** A payment for tickets has no donation. */
type Payment = Omit<PaperPayment, "donationId"> & { readonly donationId?: string };

async function findPayment(database: Services["database"], { paper, name }: Wish): Promise<Payment | undefined> {
  return name.startsWith("T-") ? findPaymentOfOrder(database, name) : findPaymentOf(database, paper);
}

async function refund(services: Services, wish: Wish): Promise<number> {
  const { database, payments, now } = services;
  const payment = await findPayment(database, wish);
  if (payment === undefined) {
    say(`There is no paid ${wish.name.startsWith("T-") ? "order" : "donation"} ${wish.name}. Nothing was refunded.`);
    return REFUSED;
  }
  const key = `refund:${payment.attemptId}:${dayInSydney(now())}:${wish.amountCents ?? "all"}`;
  const requestKey = wish.isAgain ? `${key}:${randomUUID()}` : key;
  const open = (await payments.refunds.listOf(payment.attemptId)).find(
    ({ state, request_key }) => state !== "succeeded" && state !== "failed" && request_key !== requestKey,
  );
  if (open !== undefined && !wish.isAgain) {
    say(`A refund of ${wish.name} is under way, so no other was begun. If one is meant besides, add --again.`);
    return report(services, payment, open, wish.name);
  }
  const asked = { attemptId: payment.attemptId, amountCents: wish.amountCents, requestKey, reason: wish.reason };
  try {
    const reply = await payments.refunds.request({ ...asked, requestedBy: "staff" });
    if (!reply.ok) {
      say(`${sayProblem(reply, payment)} Nothing was refunded.`);
      return REFUSED;
    }
    if (reply.refund.state === "succeeded" || reply.refund.state === "failed") {
      say("This was asked for earlier today already, and was not done again. If another one is meant, add --again.");
    }
    return await report(services, payment, await payments.refunds.run(reply.refund.id), wish.name);
  } catch (error) {
    say(`${notKnown} The reason: ${(error as Error).message}`);
    return NOT_KNOWN;
  }
}

const notKnown =
  "Not known: nobody can say yet whether the money went back. The running site asks the provider until it knows, and " +
  "writes to you where it cannot find out. Do not ask for it once more.";

function sayProblem({ problem, leftCents }: Extract<RefundReply, { ok: false }>, { state }: Payment): string {
  switch (problem) {
    case "not_paid":
      return state === "disputed"
        ? "The payer disputes this payment with the bank. Until that is decided a refund could give the money back twice."
        : "This has not been paid.";
    case "nothing_left":
      return "All of this payment has been refunded, or is about to be.";
    case "too_much":
      return `Only ${formatDollars(leftCents)} of this payment can still be refunded.`;
    case "key_reused":
      return "Something else was asked for under the same name. Add --again if this is meant besides.";
  }
}

/** Says what became of a refund, in words that tell whether money has moved; returns the code to end with. */
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
      say(
        `Refunded: ${amount} of ${name}. ${kept === 0 ? "Nothing is left of it." : `${formatDollars(kept)} is kept.`}`,
      );
      say(await sayPaper(database, payment));
      return DONE;
    }
    case "failed":
      say(`Refused: ${amount} of ${name} was not refunded.${because}`);
      return REFUSED;
    case "requested":
      say(
        `Not yet: ${amount} of ${name} is still to be refunded. The running site asks the provider again by itself, every ` +
          `hour where the payment has to settle first. Do not ask for it once more.${because}`,
      );
      return NOT_KNOWN;
    default:
      say(`${amount} of ${name}. ${notKnown}`);
      return NOT_KNOWN;
  }
}

async function sayPaper(database: Services["database"], { donationId }: Payment): Promise<string> {
  if (donationId === undefined) return "Tickets have no receipt; all of an order back cancels them.";
  const receipt = await findReceipt(database, donationId);
  if (receipt === undefined) return "No receipt has been issued for it.";
  const { number, replaces } = receipt.data;
  if (receipt.voided !== null) return `Receipt ${number} is void.`;
  return replaces === null ? `Receipt ${number} counts.` : `Receipt ${replaces} is void; ${number} replaces it.`;
}

let wish: Wish;
try {
  wish = readWish(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(REFUSED);
}
await runCommand((services) => refund(services, wish), REFUSED);
