import { z } from "zod";
import { Dollars } from "#shared/contract/fields.ts";
import { route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";

/** Codes of the specification: credit card, PayPal. */
export type PaymentMethod = "cc" | "pp";

/** Percentages of the fees and limits of the subtotal, by configuration. */
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
    /** Why not, in words; empty while it is. */
    message: z.string(),
    /** Whether the card's bank may ask the payer to confirm (3-D Secure). */
    asksBank: z.boolean(),
  }),
  paypal: z.object({
    isAvailable: z.boolean(),
    message: z.string(),
    /** Where `client.min.js` and `paypal-checkout.min.js` of Braintree lie. */
    scriptsUrl: z.string(),
  }),
  captcha: z.object({
    provider: z.enum(["altcha", "turnstile", "recaptcha", "hcaptcha"]),
    challengeUrl: z.string().optional(),
    siteKey: z.string().optional(),
    scriptUrl: z.string().optional(),
    /** What it must be worth, in ordinary captchas of ALTCHA; more than 1 while somebody tests stolen cards. */
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

/** What is known of one payment: how it stands for whoever knows its `id`, which is random, and more for its payer. */
export const Payment = z.object({
  id: z.uuid(),
  state: z.enum(["processing", "action_required", "succeeded", "failed", "refunded"]),
  message: z.string(),
  /** For its payer alone, like what follows: the reference of what was bought, once it is paid. */
  reference: z.string().optional(),
  /** A signed link, to the receipt or the tickets, once they are issued. */
  receiptUrl: z.string().optional(),
});
export type Payment = z.output<typeof Payment>;

/**
 * What the browser says of a challenge is never proof: the server asks the bank again (DON-18). `isAbandoned` when the
 * payer closed it.
 */
export const finishChallengeCall = route({
  takesPayment: true,
  method: "POST",
  path: "/payway-3ds",
  summary: "Goes on with a card payment that the bank asked about (3-D Secure), or gives it up",
  body: onWire(z.object({ id: z.uuid(), isAbandoned: z.boolean().default(false) }), { isAbandoned: "abandoned" }),
  data: Payment,
});

/** The token stands at the top level, as `clientToken`. */
export const clientTokenCall = route({
  method: "GET",
  path: "/generateToken",
  summary: "A token with which the page opens PayPal",
  data: z.object({}),
});

export const findPaymentCall = route({
  method: "GET",
  path: "/payments/{id}",
  summary: "The outcome of one payment",
  params: z.object({ id: z.uuid() }),
  data: Payment,
});
