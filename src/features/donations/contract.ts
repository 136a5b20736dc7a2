import { z } from "zod";
import { Payment } from "#payments/checkout/contract.ts";
import { CommaList, Dollars, JsonText, TrueText, YesNo } from "#shared/contract/fields.ts";
import { messages } from "#shared/contract/messages.ts";
import { Email, FirstName, LastName } from "#shared/contract/payer.ts";
import { Postcode } from "#shared/contract/postcode.ts";
import { route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";
import { isDay } from "#shared/language.ts";
import { MAX_CART_LINES } from "./cart.ts";

// ---- Categories -----------------------------------------------------------------------------------------------------

const Subcategory = onWire(z.object({ id: z.int(), title: z.string(), amountCents: Dollars.nullable() }), {
  title: "subcategory_title",
  amountCents: "subcategory_amount",
});

export const Category = onWire(
  z.object({
    id: z.int(),
    key: z.string(),
    title: z.string(),
    description: z.string(),
    suggestedCents: z.array(Dollars),
    hasSubcategories: TrueText,
    subcategories: z.array(Subcategory),
    quantityIsEditable: YesNo,
    amountIsEditable: YesNo,
    amountCents: Dollars.nullable(),
    asksNames: YesNo,
    adminFeeApplies: YesNo,
    isDeductible: YesNo,
  }),
  {
    title: "category_title",
    suggestedCents: "suggested_amounts",
    hasSubcategories: "subcategory_status",
    subcategories: "category_subcategory",
    quantityIsEditable: "is_editable_quantity",
    amountIsEditable: "is_editable_amount",
    amountCents: "category_amount",
    asksNames: "asks_names",
    adminFeeApplies: "admin_fee_applies",
    isDeductible: "is_tax_deductible",
  },
);

export const listCategoriesCall = route({
  method: "GET",
  path: "/categories",
  summary: "The donation categories and their subcategories, in order",
  data: onWire(z.object({ categories: z.array(Category) }), { categories: "category" }),
});

// ---- Donating -------------------------------------------------------------------------------------------------------

const PaidLine = onWire(
  z.object({
    category: z.string().max(200),
    subcategory: z.string().max(200).default(""),
    quantity: z.int(),
    unitCents: Dollars,
    onBehalfOf: CommaList.default([]),
    netCents: Dollars.optional(),
    adminShareCents: Dollars.optional(),
    merchantShareCents: Dollars.optional(),
  }),
  {
    category: "donation_type",
    subcategory: "donation_type_option",
    unitCents: "donation_amount",
    onBehalfOf: "donation_shared_name",
    netCents: "net_donation_amount",
    adminShareCents: "admin_fee_amount",
    merchantShareCents: "merchant_fee",
  },
);
export type PaidLine = z.output<typeof PaidLine>;

/** A user id on the wire, as a number or digits; 0 for a guest. */
const UserId = z.codec(z.union([z.int(), z.string().regex(/^\d{1,15}$/)]), z.int().min(0), {
  decode: (id) => Number(id),
  encode: (id) => id,
});

const paymentFields = {
  totalCents: Dollars,
  donorName: z.string().max(210),
  firstName: FirstName,
  lastName: LastName,
  email: Email,
  donorEmail: z.string().trim(),
  firstLineCategory: z.string(),
  source: z.literal("web"),
  userId: UserId,
  lines: JsonText(
    z.array(PaidLine).min(1, "Add a donation first").max(MAX_CART_LINES, "A donation can have at most 50 lines"),
  ),
  postcode: Postcode.optional(),
  isAnonymous: z.boolean().default(false),
  captcha: z.string().max(4096).optional(),
  /** The donor confirms that they want to repeat the donation they just made (DON-30). */
  repeat: z.boolean().optional(),
};
const paymentNames = {
  totalCents: "amount",
  firstName: "donor_first_name",
  lastName: "donor_last_name",
  email: "donor_email",
  firstLineCategory: "donationType",
  userId: "user_id",
  method: "payment_method",
  paymentType: "payment_type",
  lines: "item_details",
  postcode: "postal_code",
  isAnonymous: "is_anonymous",
} as const;

/** `singleUseTokenId` comes from PayWay's card frame; card details never reach this server (DON-15). */
const CardPayment = onWire(
  z.object({
    token: z.uuid("The card details have expired. Please enter them again"),
    ...paymentFields,
    method: z.literal("PAYWAY"),
    paymentType: z.literal("Credit Card"),
  }),
  { ...paymentNames, token: "singleUseTokenId" },
);
export type CardPayment = z.output<typeof CardPayment>;

/** `braintree_nonce` represents the donor's approval at PayPal; `payload` is PayPal's wrapper and is not read. */
const PayPalPayment = onWire(
  z.object({
    nonce: z.string().regex(/^[A-Za-z0-9_-]{8,200}$/, "Please approve the payment with PayPal again"),
    payload: z.unknown().optional(),
    ...paymentFields,
    method: z.literal("braintree"),
    paymentType: z.literal("PAYPAL"),
  }),
  { ...paymentNames, nonce: "braintree_nonce" },
);
export type PayPalPayment = z.output<typeof PayPalPayment>;

/** The wire's field names, under which pricing and checks report errors. */
export const wireField = {
  totalCents: "amount",
  donorName: "donorName",
  donorEmail: "donorEmail",
  firstLineCategory: "donationType",
  captcha: "captcha",
  lines: "item_details",
  line: {
    category: "donation_type",
    subcategory: "donation_type_option",
    quantity: "quantity",
    unitCents: "donation_amount",
    onBehalfOf: "donation_shared_name",
    netCents: "net_donation_amount",
    adminShareCents: "admin_fee_amount",
    merchantShareCents: "merchant_fee",
  },
} as const;

export const payByCardCall = route({
  takesPayment: true,
  method: "POST",
  path: "/payway-payment",
  summary: "Donates by card: 200 when charged, 402 when declined, 202 while the outcome is being confirmed",
  body: CardPayment,
  data: Payment,
});

export const payByPayPalCall = route({
  takesPayment: true,
  method: "POST",
  path: "/payment",
  summary: "Donates by PayPal: 200 when charged, 402 when declined, 202 while the outcome is being confirmed",
  body: PayPalPayment,
  data: Payment,
});

// ---- History --------------------------------------------------------------------------------------------------------

/** A donation's reference, such as D-7KQ2-M9XW-4TBC. */
export const Reference = z.string().regex(/^D-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
const dayMessage = "Enter a day as YYYY-MM-DD, between 1900 and 2099";
const Day = z.string().refine(isDay, dayMessage);
const Whose = z.string().trim().max(254, messages.emailTooLong).default("");

export const DonationSummaryRow = onWire(
  z.object({
    receiptNumber: z.string(),
    paidOn: z.string(),
    totalCents: Dollars,
    status: z.enum(["Paid", "Processing", "Refunded", "Partly refunded"]),
    reference: z.string(),
  }),
  {
    receiptNumber: "invoice_number",
    paidOn: "payment_date",
    totalCents: "donation_amount",
    reference: "trasaction_id",
  },
);

const rangeNames = { from: "startDate", to: "endDate" } as const;

export const donationSummaryCall = route({
  method: "POST",
  path: "/donation-summary",
  needsSession: true,
  summary: "Your own donations, newest first; days are inclusive, in Sydney, and an empty one leaves the range open",
  query: onWire(
    z.object({
      email: Whose,
      from: Day.or(z.literal("")).default(""),
      to: Day.or(z.literal("")).default(""),
      type: z
        .string()
        .max(200, "Enter a donation category")
        .regex(/^[^\p{Cc}\p{Cs}]*$/u, "Enter a donation category")
        .default(""),
      limit: z
        .string()
        .regex(/^(?:[1-9]\d?|100)$/, "Enter a number from 1 to 100")
        .optional(),
      after: Reference.optional(),
    }),
    rangeNames,
  ),
  data: z.array(DonationSummaryRow),
  beside: "next",
});

export const donationSummaryPdfCall = route({
  method: "POST",
  path: "/donation-summary-pdf",
  needsSession: true,
  summary: "Creates a ten-minute link to a summary of your own donations in a range of days",
  query: onWire(z.object({ email: Whose, from: Day, to: Day }), rangeNames),
  data: z.object({}),
  beside: "url",
});

export const donationPdfCall = route({
  method: "GET",
  path: "/single-donation-pdf/{id}",
  isPrivate: true,
  needsSession: true,
  summary: "Creates a ten-minute link to the receipt of one of your own donations",
  params: z.object({ id: Reference }),
  data: z.object({}),
  beside: "url",
});

/** The wire's names for the days of a range, in errors and in page URLs. */
export const rangeField = rangeNames;
