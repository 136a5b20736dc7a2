import type { Payment } from "#payments/checkout/contract.ts";
import { paypalIsNotOffered } from "#payments/checkout/describe-checkout.ts";
import {
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
import { readOnOneConnection, together } from "#shared/database/transact.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { formatDollars } from "#shared/language.ts";
import { findCountryByName } from "#shared/places/store.ts";
import type { Buyer, TicketPayment } from "../contract.ts";
import { ticketProblems } from "../problems.ts";
import { findLatestPayment, findOrder } from "./store.ts";

/** `userId` is null for a guest. */
export type PayingBuyer = PaymentSender & { readonly userId: number | null };

export type TicketPayingServices = PayingServices &
  CoreServices<"database", "payway" | "braintree" | "circuit" | "tickets">;

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
  const { payments, subject, config } = services;
  const submission = submissionOf(services, orderId, payment, sender);
  const earlier = await payments.findEarlier(submission);
  if (earlier === null) return refused(paymentProblems.key_reused);
  if (earlier !== "none") {
    return presentPayment(subject, earlier.attempt, await isPayer(subject, earlier.attempt, sender));
  }

  if (submission.provider === "braintree" && !config.braintree.isOffered) {
    return refused(paymentProblems.provider_away, { message: paypalIsNotOffered });
  }
  const payer = { address: sender.address, browser: sender.browser, email: payment.email };
  const { effort, card } = await refuseForNow(services, submission.provider, payer);
  await check(services, orderId, payment);
  const nonce = await solvePaymentCaptcha(services, payment.captcha, { action: "tickets", payer, effort });
  const writeSubject = (transaction: Connection, at: Date) =>
    noteBuyer(transaction, services, { orderId, buyer: payment, userId: sender.userId, at });
  const submitted = await submitOnce(services, submission, { nonce, payer, card, writeSubject });
  if (submitted !== null) return presentCounted(services, submitted, payer);
  // Another payment of this order is in progress: answer with that one.
  return (await presentUnderWay(services, orderId)) ?? refused(paymentProblems.key_reused);
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

/** @throws AppError `invalid_input` if the total is not what the buyer saw, or the country is unknown. */
async function check({ database }: TicketPayingServices, orderId: string, payment: TicketPayment): Promise<void> {
  const [order, country] = await readOnOneConnection(database, (connection) =>
    together(findOrder(connection, orderId), findCountryByName(connection, payment.country)),
  );
  if (order === undefined) throw new AppError("not_found");
  const fields: Record<string, string[]> = {};
  if (order.total_cents !== payment.totalCents) {
    fields.total = [`These tickets cost ${formatDollars(order.total_cents)}. Please review your order`];
  }
  if (country === undefined) {
    fields.country = ["Choose a country from the list"];
  }
  if (Object.keys(fields).length > 0) throw new AppError("invalid_input", { fields });
}

async function presentUnderWay({ database, subject }: TicketPayingServices, orderId: string) {
  const attempt = await findLatestPayment(database, orderId);
  return attempt !== undefined && isUndecided(attempt.state) ? presentPayment(subject, attempt, false) : null;
}

/**
 * Records the buyer on the order, and extends the hold for as long as a payment may take.
 * @throws AppError `hold_lapsed` or `order_closed`: nothing is recorded then, and the captcha is not spent.
 */
export async function noteBuyer(
  transaction: Connection,
  { config }: Pick<TicketPayingServices, "config">,
  { orderId, buyer, userId, at }: { orderId: string; buyer: Buyer; userId: number | null; at: Date },
): Promise<void> {
  const order = await transaction
    .selectFrom("ticket_orders")
    .select(["state", "hold_until", "created_at"])
    .where("id", "=", orderId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (order === undefined) throw new AppError("not_found");
  if (order.state !== "held" && order.state !== "lapsed") throw new AppError(ticketProblems.order_closed);
  if (order.state === "lapsed" || order.hold_until <= at) throw new AppError(ticketProblems.hold_lapsed);
  const most = order.created_at.getTime() + 2 * config.tickets.holdMs;
  const holdUntil = Math.max(order.hold_until.getTime(), Math.min(at.getTime() + PAYING_MS, most));
  await transaction
    .updateTable("ticket_orders")
    .set({
      email: buyer.email,
      first_name: buyer.firstName,
      last_name: buyer.lastName,
      country: buyer.country,
      phone: buyer.phone,
      address: buyer.address,
      postcode: buyer.postcode,
      suburb: buyer.suburb,
      user_id: userId,
      hold_until: new Date(holdUntil),
    })
    .where("id", "=", orderId)
    .execute();
}
