import { z } from "zod";
import { Dollars } from "#shared/contract/fields.ts";
import { route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";

/** The specification's codes for credit card and PayPal. */
export type PaymentMethod = "cc" | "pp";

/** Fees in percent, and the limits of the subtotal, from the configuration. */
const Checkout = z.object({
  currency: z.literal("AUD"),
  fees: z.object({ adminPercent: z.number(), cardPercent: z.number(), paypalPercent: z.number() }),
  limits: onWire(z.object({ minimumCents: Dollars, maximumCents: Dollars }), {
    minimumCents: "minimum",
    maximumCents: "maximum",
  }),
  payway: z.object({
    scriptUrl: z.string(),
    publishableKey: z.string(),
    isAvailable: z.boolean(),
    /** Why cards are unavailable, for the payer; empty while they are available. */
    message: z.string(),
    /** Whether the card's bank may ask the payer to confirm (3-D Secure). */
    asksBank: z.boolean(),
  }),
  paypal: z.object({
    isAvailable: z.boolean(),
    message: z.string(),
    /** The folder of Braintree's `client.min.js` and `paypal-checkout.min.js`. */
    scriptsUrl: z.string(),
  }),
  captcha: z.object({
    provider: z.enum(["altcha", "turnstile", "recaptcha", "hcaptcha"]),
    challengeUrl: z.string().optional(),
    siteKey: z.string().optional(),
    scriptUrl: z.string().optional(),
    /** The work required, as a multiple of an ordinary ALTCHA captcha; more than 1 during card testing. */
    effort: z.number().optional(),
  }),
});
export type Checkout = z.output<typeof Checkout>;

export const checkoutCall = route({
  method: "GET",
  path: "/checkout",
  summary: "Fees, limits and the public keys that a checkout needs",
  data: Checkout,
});

/** One payment. Anyone who knows its random `id` sees its state; only its payer sees the optional fields. */
export const Payment = z.object({
  id: z.uuid(),
  state: z.enum(["processing", "action_required", "succeeded", "failed", "refunded"]),
  message: z.string(),
  /** The reference of the donation or order, once paid. */
  reference: z.string().optional(),
  /** A signed link to the receipt or tickets, once issued. */
  receiptUrl: z.string().optional(),
});
export type Payment = z.output<typeof Payment>;

/** The browser's report is never proof: the server asks the bank again (DON-18). `isAbandoned`: the payer closed it. */
export const finishChallengeCall = route({
  takesPayment: true,
  method: "POST",
  path: "/payway-3ds",
  summary: "Continues a card payment after its bank's challenge (3-D Secure), or abandons it",
  body: onWire(z.object({ id: z.uuid(), isAbandoned: z.boolean().default(false) }), { isAbandoned: "abandoned" }),
  data: Payment,
});

export const clientTokenCall = route({
  method: "GET",
  path: "/generateToken",
  summary: "A token with which the page opens PayPal",
  data: z.object({}),
  beside: "clientToken",
});

export const findPaymentCall = route({
  method: "GET",
  path: "/payments/{id}",
  summary: "The outcome of one payment",
  params: z.object({ id: z.uuid() }),
  data: Payment,
});
