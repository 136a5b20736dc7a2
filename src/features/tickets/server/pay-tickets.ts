import { sql } from "kysely";
import type pg from "pg";
import { type Attempt, attemptRow } from "#payments/attempts.ts";
import type { Payment } from "#payments/checkout/contract.ts";
import { paypalIsNotOffered } from "#payments/checkout/describe-checkout.ts";
import {
  lookUp,
  makeSubmission,
  type PayingServices,
  type PaymentSender,
  presentCounted,
  refuseForNow,
  solvePaymentCaptcha,
  submitOnce,
} from "#payments/checkout/paying.ts";
import { isPayer, presentPayment } from "#payments/checkout/present-payment.ts";
import { paymentProblems } from "#payments/problems.ts";
import { isUndecided } from "#payments/states.ts";
import { type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { isRaised, raised } from "#shared/database/raised.ts";
import { together } from "#shared/database/transact.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { formatDollars } from "#shared/language.ts";
import { requireDocumentKey } from "#shared/links/document-links.ts";
import { findCountryByName } from "#shared/places/store.ts";
import type { TicketPayment } from "../contract.ts";
import { ticketProblems } from "../problems.ts";
import { findLatestPayment, findOrder } from "./store.ts";

/** `userId` is null for a guest. */
type PayingBuyer = PaymentSender & { readonly userId: number | null };

export type TicketPayingServices = PayingServices &
  CoreServices<"database", "payway" | "braintree" | "circuit" | "secretKey" | "tickets">;

/** A payment in progress extends the hold to at least this, up to twice `holdMs` in all. */
const PAYING_MS = 180_000;

/**
 * Pays for a held order by card or PayPal (TIC-6). As with donations, a repeated submission gets its earlier answer.
 * Otherwise the order is checked, the buyer and the payment are recorded and committed, and the payment is charged
 * once.
 */
export async function payTickets(
  services: TicketPayingServices,
  orderId: string,
  payment: TicketPayment,
  sender: PayingBuyer,
): Promise<Reply<Payment>> {
  const { subject, config } = services;
  const submission = submissionOf(services, orderId, payment, sender);
  const payer = { address: sender.address, browser: sender.browser, email: payment.email };
  const document = { kind: "ticket_order", id: orderId } as const;
  const findPurchase = (connection: Connection) =>
    together(
      findOrder(connection, orderId),
      findCountryByName(connection, payment.country),
      requireDocumentKey({ ...services, database: connection }, document, payment.key),
    );
  const looked = await lookUp(services, submission, { payer, findPurchase });
  const { earlier, limited, purchase } = looked;
  if (earlier === null) return refused(paymentProblems.key_reused);
  if (earlier !== "none") {
    return presentPayment(subject, earlier.attempt, await isPayer(subject, earlier.attempt, sender));
  }

  if (submission.provider === "braintree" && !config.braintree.isOffered) {
    return refused(paymentProblems.provider_away, { message: paypalIsNotOffered });
  }
  const { effort, card } = await refuseForNow(services, submission.provider, { payer, limited });
  check(purchase, payment);
  const nonce = await solvePaymentCaptcha(services, payment.captcha, { action: "tickets", payer, effort });
  const buyer = { ...payment, userId: sender.userId };
  const record = (recording: string, captcha: string) => recordTicketPayment({ recording, captcha, buyer, config });
  const submitted = await submitOnce(services, submission, { nonce, payer, card, record }).catch(refuseUnheld);
  if (submitted !== null) return presentCounted(services, submitted, payer);
  // Another payment of this order is in progress: answer with that one.
  return (await presentUnderWay(services, orderId)) ?? refused(paymentProblems.key_reused);
}

type RecordedBuyer = Pick<TicketPayment, "email" | "firstName" | "lastName" | "country" | "phone"> &
  Pick<TicketPayment, "address" | "postcode" | "suburb"> & { readonly userId: number | null };

/** The statement that records a payment of a held order and its buyer. `recording` is what `record_payment` takes. */
export function recordTicketPayment({
  recording,
  captcha,
  buyer,
  config,
}: {
  recording: string;
  captcha: string;
  buyer: RecordedBuyer;
  config: Pick<TicketPayingServices["config"], "tickets">;
}) {
  const columns = JSON.stringify({
    email: buyer.email,
    first_name: buyer.firstName,
    last_name: buyer.lastName,
    country: buyer.country,
    phone: buyer.phone,
    address: buyer.address,
    postcode: buyer.postcode,
    suburb: buyer.suburb,
    user_id: buyer.userId,
  });
  const [paying, longest] = [PAYING_MS, 2 * config.tickets.holdMs].map((ms) => `${ms} milliseconds`);
  return sql<Attempt>`
    select ${attemptRow} from record_ticket_payment(${recording}, ${captcha}, ${columns}, ${paying}, ${longest})`;
}

function submissionOf(
  { config }: TicketPayingServices,
  orderId: string,
  { captcha: _, ...payment }: TicketPayment,
  sender: PaymentSender,
) {
  const isCard = payment.method === "cc";
  const instrument = isCard ? payment.instrument.toLowerCase() : payment.instrument;
  return makeSubmission(config, sender, {
    subject: { kind: "ticket_order", id: orderId },
    provider: isCard ? "payway" : "braintree",
    instrument,
    request: { ...payment, orderId },
    amountCents: payment.totalCents,
    email: payment.email,
  });
}

type Purchase = readonly [
  order: Awaited<ReturnType<typeof findOrder>>,
  country: Awaited<ReturnType<typeof findCountryByName>>,
  ...unknown[],
];

/** @throws AppError `invalid_input` if the total is not what the buyer saw, or the country is unknown. */
function check([order, country]: Purchase, payment: TicketPayment): void {
  if (order === undefined) throw new AppError("not_found");
  const fields: Record<string, string[]> = {};
  if (order.total_cents !== payment.totalCents) {
    fields.total = [`These tickets cost ${formatDollars(order.total_cents)}. Please review your order`];
  }
  if (order.total_cents === 0) fields.total = ["This order is free. Please reload the page"];
  if (country === undefined) {
    fields.country = ["Choose a country from the list"];
  }
  if (Object.keys(fields).length > 0) throw new AppError("invalid_input", { fields });
}

async function presentUnderWay({ database, subject }: TicketPayingServices, orderId: string) {
  const attempt = await findLatestPayment(database, orderId);
  return attempt !== undefined && isUndecided(attempt.state) ? presentPayment(subject, attempt, false) : null;
}

function refuseUnheld(error: unknown): never {
  if (!isRaised(error, raised.orderNotHeld)) throw error;
  throw new AppError(unheldProblem(error), { cause: error });
}

/** What the detail of that error names. */
export const unheldProblem = ({ detail }: Pick<pg.DatabaseError, "detail">) =>
  ticketProblems[detail === "hold_lapsed" || detail === "sales_stopped" ? detail : "order_closed"];
