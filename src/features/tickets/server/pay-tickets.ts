import type { Payment } from "#payments/checkout/contract.ts";
import { paypalIsNotOffered } from "#payments/checkout/describe-checkout.ts";
import {
  makeSubmission,
  type PayingServices,
  presentCounted,
  refuseForNow,
  type Sender,
  solvePaymentCaptcha,
  submitOnce,
} from "#payments/checkout/paying.ts";
import { isPayer, presentPayment } from "#payments/checkout/present-payment.ts";
import { isUndecided } from "#payments/states.ts";
import type { Config } from "#shared/config.ts";
import { type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { formatDollars } from "#shared/money.ts";
import { findCountryByName } from "#shared/places/store.ts";
import type { TicketPayment } from "../contract.ts";
import { findLatestPayment, findOrder } from "./store.ts";

/** `userId` is who is logged in; null for a guest. */
export type Buyer = Sender & { readonly userId: number | null };

export type TicketPayingServices = PayingServices & {
  readonly config: Pick<Config, "payway" | "braintree" | "circuit" | "tickets">;
  readonly database: Database;
};

/** While a payment is under way its seats are held for so long at least, up to twice the whole time of a hold. */
const PAYING_MS = 180_000;

/**
 * Pays a held order by card or by PayPal (TIC-6). As in giving, a copy of an earlier submission is answered from the books;
 * else the order is checked, its buyer and the payment are recorded, committed and charged, each at most once.
 */
export async function payTickets(
  services: TicketPayingServices,
  orderId: string,
  payment: TicketPayment,
  sender: Buyer,
): Promise<Reply<Payment>> {
  const { payments, subject, config } = services;
  const submission = submissionOf(services, orderId, payment, sender);
  const earlier = await payments.findEarlier(submission);
  if (earlier === null) return refused("key_reused");
  if (earlier !== "none") {
    return presentPayment(subject, earlier.attempt, await isPayer(subject, earlier.attempt, sender));
  }

  if (submission.provider === "braintree" && !config.braintree.isOffered) {
    return refused("provider_away", { message: paypalIsNotOffered });
  }
  const payer = { address: sender.address, browser: sender.browser, email: payment.email };
  const { effort, card } = await refuseForNow(services, submission.provider, payer);
  await check(services, orderId, payment);
  const nonce = await solvePaymentCaptcha(services, payment.captcha, { action: "tickets", payer, effort });
  const open = (transaction: Connection, at: Date) =>
    noteBuyer(transaction, services, { orderId, payment, userId: sender.userId, at });
  const submitted = await submitOnce(services, submission, { nonce, payer, card, open });
  if (submitted !== null) return presentCounted(services, submitted, payer);
  // Another payment of the order is under way: it is the one that counts.
  return (await presentUnderWay(services, orderId)) ?? refused("key_reused");
}

function submissionOf(
  { config }: TicketPayingServices,
  orderId: string,
  { captcha: _, ...payment }: TicketPayment,
  sender: Sender,
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

/** @throws AppError `invalid_input` where the order costs something else than the buyer was shown, or the country is none. */
async function check({ database }: TicketPayingServices, orderId: string, payment: TicketPayment): Promise<void> {
  const order = await findOrder(database, orderId);
  if (order === undefined) throw new AppError("not_found");
  const fields: Record<string, string[]> = {};
  if (order.total_cents !== payment.totalCents) {
    fields.total = [`These tickets cost ${formatDollars(order.total_cents)}. Please review your order`];
  }
  if ((await findCountryByName(database, payment.country)) === undefined) {
    fields.country = ["Choose a country from the list"];
  }
  if (Object.keys(fields).length > 0) throw new AppError("invalid_input", { fields });
}

async function presentUnderWay({ database, subject }: TicketPayingServices, orderId: string) {
  const attempt = await findLatestPayment(database, orderId);
  return attempt !== undefined && isUndecided(attempt.state) ? presentPayment(subject, attempt, false) : null;
}

/**
 * Puts the buyer on the order, and holds its seats for as long as a payment may take.
 * @throws AppError `hold_lapsed` or `order_closed`: nothing is recorded then, and the captcha is not spent.
 */
async function noteBuyer(
  transaction: Connection,
  { config }: TicketPayingServices,
  { orderId, payment, userId, at }: { orderId: string; payment: TicketPayment; userId: number | null; at: Date },
): Promise<void> {
  const order = await transaction
    .selectFrom("ticket_orders")
    .select(["state", "hold_until", "created_at"])
    .where("id", "=", orderId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (order === undefined) throw new AppError("not_found");
  if (order.state !== "held" && order.state !== "lapsed") throw new AppError("order_closed");
  if (order.state === "lapsed" || order.hold_until <= at) throw new AppError("hold_lapsed");
  const most = order.created_at.getTime() + 2 * config.tickets.holdMs;
  const holdUntil = Math.max(order.hold_until.getTime(), Math.min(at.getTime() + PAYING_MS, most));
  await transaction
    .updateTable("ticket_orders")
    .set({
      email: payment.email,
      first_name: payment.firstName,
      last_name: payment.lastName,
      country: payment.country,
      phone: payment.phone,
      address: payment.address,
      postcode: payment.postcode,
      suburb: payment.suburb,
      user_id: userId,
      hold_until: new Date(holdUntil),
    })
    .where("id", "=", orderId)
    .execute();
}
