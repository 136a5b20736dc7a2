import { type RawBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import pg from "pg";
import { type Attempt, bytea } from "#payments/attempts.ts";
import type { PaymentMethod } from "#payments/checkout/contract.ts";
import { newReference } from "#payments/reference.ts";
import { type PaymentState, paidStates } from "#payments/states.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { CartCategory, CartLine, Priced } from "../cart.ts";
import type { ReceiptKind } from "./tables.ts";

/** A category with the fields that only the server needs. */
export type CatalogueCategory = CartCategory & {
  readonly fund: string;
  readonly receiptKind: ReceiptKind;
  readonly description: string;
  readonly suggestedCents: number[];
};

/** The price of `category`, or of one of its kinds, on a day. */
export function priceOn(day: string, subcategory: RawBuilder<unknown>, before: RawBuilder<unknown>) {
  return sql<number | null>`coalesce((select price.amount_cents from donation_prices price
    where price.category_id = category.id and price.subcategory_id is not distinct from ${subcategory}
      and price.withdrawn_at is null and price.holds_from <= ${day}
    order by price.holds_from desc, price.id desc limit 1), ${before})`;
}

/** The categories on offer and their subcategories, in order, with the prices of a day in Sydney. */
export async function listCategories(connection: Connection, day: string): Promise<CatalogueCategory[]> {
  const rows = await connection
    .selectFrom("donation_categories as category")
    .select((category) => [
      "id",
      "fund",
      "title",
      "has_subcategories",
      "quantity_is_editable",
      "amount_is_editable",
      "description",
      "suggested_cents",
      priceOn(day, sql`null::bigint`, sql.ref("category.amount_cents")).as("amount_cents"),
      "asks_names",
      "receipt_kind",
      "admin_fee_applies",
      jsonArrayFrom(
        category
          .selectFrom("donation_subcategories as subcategory")
          .select(["subcategory.id", "subcategory.title"])
          .select(priceOn(day, sql.ref("subcategory.id"), sql.ref("subcategory.amount_cents")).as("amount_cents"))
          .whereRef("subcategory.category_id", "=", "category.id")
          .where("subcategory.retired_at", "is", null)
          .orderBy("subcategory.position"),
      ).as("subcategories"),
    ])
    .where("retired_at", "is", null)
    .orderBy("position")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    fund: row.fund,
    title: row.title,
    description: row.description,
    suggestedCents: row.suggested_cents,
    hasSubcategories: row.has_subcategories,
    subcategories: row.subcategories.map(({ id, title, amount_cents }) => ({ id, title, amountCents: amount_cents })),
    quantityIsEditable: row.quantity_is_editable,
    amountIsEditable: row.amount_is_editable,
    amountCents: row.amount_cents,
    asksNames: row.asks_names,
    receiptKind: row.receipt_kind,
    adminFeeApplies: row.admin_fee_applies,
  }));
}

type DonorDetails = {
  readonly isAnonymous: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly postcode: string | null;
};

export type PricedLine = CartLine & { readonly category: string; readonly from: CatalogueCategory };

type NewDonation = {
  readonly id: string;
  readonly userId: number | null;
  readonly donor: DonorDetails;
  readonly lines: readonly PricedLine[];
  readonly priced: Priced;
  readonly method: PaymentMethod;
  readonly repeatDigest: Buffer | null;
};

/** The argument of `insert_donation`: a donation with its lines. */
export function describeDonation(donation: NewDonation, now: Date): string {
  const { id, userId, donor, lines, priced, method, repeatDigest } = donation;
  return JSON.stringify({
    id,
    reference: newReference("D"),
    is_anonymous: donor.isAnonymous,
    first_name: donor.firstName,
    last_name: donor.lastName,
    email: donor.email,
    postcode: donor.postcode,
    method,
    subtotal_cents: priced.subtotalCents,
    admin_fee_cents: priced.adminFeeCents,
    merchant_fee_cents: priced.merchantFeeCents,
    total_cents: priced.totalCents,
    user_id: userId,
    repeat_digest: repeatDigest && bytea(repeatDigest),
    created_at: now,
    lines: lines.map((line, position) => ({
      donation_id: id,
      position,
      category_id: line.from.id,
      subcategory_id: line.from.subcategories.find(({ title }) => title === line.subcategory)?.id ?? null,
      fund: line.from.fund,
      category_title: line.category,
      subcategory_title: line.subcategory,
      receipt_kind: line.from.receiptKind,
      quantity: line.quantity,
      unit_cents: line.unitCents,
      line_cents: line.quantity * line.unitCents,
      admin_share_cents: priced.adminSharesCents[position]!,
      merchant_share_cents: priced.merchantSharesCents[position]!,
      on_behalf_of: line.onBehalfOf,
    })),
  });
}

/** Writes a donation with its lines; the database refuses one whose lines and fees don't add up to its total. */
export async function insertDonation(transaction: Connection, donation: NewDonation, now: Date): Promise<void> {
  await sql`select insert_donation(${describeDonation(donation, now)})`.execute(transaction);
}

/** Whether a donation was not written because its account was closed or erased at the same moment. */
export function isAccountGone(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === "donations_user_id_fkey";
}

export type PaidDonation = {
  readonly reference: string;
  readonly receiptIssuedAt: Date | null;
  readonly refundedCents: number;
};

/** What the donor sees of a paid donation: its reference, when the receipt was issued, and the refunded cents. */
export async function findPaidDonation(connection: Connection, donationId: string): Promise<PaidDonation> {
  const row = await connection
    .selectFrom("donations")
    .select(({ selectFrom }) => [
      "donations.reference",
      selectFrom("receipts")
        .select("issued_at")
        .whereRef("receipts.donation_id", "=", "donations.id")
        .where("is_latest", "=", true)
        .as("receiptIssuedAt"),
      selectFrom("refunds")
        .innerJoin("payment_attempts", "payment_attempts.id", "refunds.attempt_id")
        .select(({ fn }) => fn.sum<string | null>("refunds.amount_cents").as("cents"))
        .whereRef("payment_attempts.donation_id", "=", "donations.id")
        .where("refunds.state", "=", "succeeded")
        .as("refunded"),
    ])
    .where("donations.id", "=", donationId)
    .executeTakeFirstOrThrow();
  return {
    reference: row.reference,
    receiptIssuedAt: row.receiptIssuedAt,
    refundedCents: Number(row.refunded ?? 0),
  };
}

/** Undefined if there is no such donation. The email is empty once the donor was erased. */
export function findDonor(connection: Connection, donationId: string) {
  return connection
    .selectFrom("donations")
    .select(["email", "user_id"])
    .where("id", "=", donationId)
    .executeTakeFirst();
}

/** The donation that an attempt pays for. @throws Error if the attempt pays for something else. */
export function donationIdOf({ id, donation_id: donationId }: Pick<Attempt, "id" | "donation_id">): string {
  if (donationId === null) throw new Error(`Payment ${id} is not for a donation.`);
  return donationId;
}

/** A charged payment for commands, without name or address. */
export type DocumentPayment = {
  readonly attemptId: string;
  readonly donationId: string;
  readonly state: PaymentState;
  readonly amountCents: number;
};

/** The payment of a receipt, void or not, by its number, or of a donation by its reference. */
export async function findDocumentPayment(
  connection: Connection,
  document: { readonly receipt: number } | { readonly reference: string },
): Promise<DocumentPayment | undefined> {
  const row = await connection
    .selectFrom("payment_attempts")
    .innerJoin("donations", "donations.id", "payment_attempts.donation_id")
    .select(["payment_attempts.id", "donations.id as donationId", "state", "amount_cents"])
    .where("state", "in", paidStates)
    .$if("reference" in document, (query) =>
      query.where("reference", "=", (document as { reference: string }).reference),
    )
    .$if("receipt" in document, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("receipts")
            .select("number")
            .whereRef("receipts.donation_id", "=", "donations.id")
            .where("number", "=", (document as { receipt: number }).receipt),
        ),
      ),
    )
    .executeTakeFirst();
  return row && { attemptId: row.id, donationId: row.donationId, state: row.state, amountCents: row.amount_cents };
}
