import { randomUUID } from "node:crypto";
import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { Attempt } from "#payments/attempts.ts";
import { type ForeignCharge, recordTakenIn } from "#payments/reconciliation/take-in.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { fixedUnitCents, type Subcategory } from "../../cart.ts";
import { type CatalogueCategory, insertDonation, listCategories, type PricedLine } from "../store.ts";

/** What a charge that was made outside this site can have been given to: 'zakat', or 'education:12' with a kind. */
type TakenInCause = { readonly value: string; readonly label: string };

type TakenIn = {
  readonly charge: ForeignCharge;
  readonly donor: { readonly firstName: string; readonly lastName: string; readonly email: string };
  readonly cause: string;
};

/** The causes that a charge of this amount on this day in Sydney can pay for: what has a price, whole units of it. */
export async function listTakenInCauses(
  connection: Connection,
  { cents, day }: { cents: number; day: string },
): Promise<TakenInCause[]> {
  const offers = await listOffers(connection, day);
  return offers
    .filter((offer) => quantityOf(offer, cents) !== null)
    .map(({ value, category, subcategory }) => ({
      value,
      label: `${[category.title, subcategory?.title].filter(Boolean).join(": ")}${
        category.receiptKind === "gift" ? "" : " (not tax-deductible)"
      }`,
    }));
}

/**
 * Records a charge that was made outside this site as a donation of the whole amount, without fees; it still has to be
 * settled. @throws Refusal if one of our payments stands for the charge, AppError `invalid_input` for the cause.
 */
export async function recordTakenInDonation(
  transaction: Connection,
  { charge, donor, cause, day }: TakenIn & { readonly day: string },
  { actor, now }: { actor: Actor; now: Date },
): Promise<{ readonly attempt: Attempt; readonly reference: string }> {
  const { provider, transactionId, amountCents, at } = charge;
  const offer = (await listOffers(transaction, day)).find(({ value }) => value === cause);
  const line = offer === undefined ? null : lineOf(offer, amountCents);
  if (line === null) throw new AppError("invalid_input", { fields: { cause: ["Choose what it was given to"] } });
  const id = randomUUID();
  await insertDonation(
    transaction,
    {
      id,
      userId: null,
      donor: { ...donor, isAnonymous: false, postcode: null },
      lines: [line],
      priced: {
        subtotalCents: amountCents,
        adminFeeCents: 0,
        merchantFeeCents: 0,
        totalCents: amountCents,
        adminSharesCents: [0],
        merchantSharesCents: [0],
      },
      method: provider === "payway" ? "cc" : "pp",
      repeatDigest: null,
    },
    at,
  );
  const attempt = await recordTakenIn(transaction, { donationId: id, charge });
  if (attempt === null) throw new Refusal("One of our payments stands for this charge. Compare the day again.");
  const { reference } = await transaction
    .selectFrom("donations")
    .select("reference")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const act = { verb: "donation.take-in", subject: "donation", subjectId: id };
  await recordAct(transaction, actor, { ...act, after: { provider, reference: transactionId, amountCents } }, now);
  return { attempt, reference };
}

type Offer = {
  readonly value: string;
  readonly category: CatalogueCategory;
  readonly subcategory: Subcategory | undefined;
};

async function listOffers(connection: Connection, day: string): Promise<Offer[]> {
  const categories = await listCategories(connection, day);
  return categories.flatMap((category): Offer[] =>
    category.hasSubcategories
      ? category.subcategories.map((subcategory) => {
          return { value: `${category.fund}:${subcategory.id}`, category, subcategory };
        })
      : [{ value: category.fund, category, subcategory: undefined }],
  );
}

/** How many units the amount pays for; null if it is no whole number of them. */
function quantityOf({ category, subcategory }: Offer, cents: number): number | null {
  const unitCents = fixedUnitCents(category, subcategory);
  if (unitCents === null) return 1;
  const quantity = cents / unitCents;
  return Number.isInteger(quantity) && (quantity === 1 || category.quantityIsEditable) ? quantity : null;
}

function lineOf(offer: Offer, cents: number): PricedLine | null {
  const quantity = quantityOf(offer, cents);
  if (quantity === null) return null;
  const { category: from, subcategory } = offer;
  const titles = { category: from.title, subcategory: subcategory?.title ?? "" };
  return { ...titles, quantity, unitCents: cents / quantity, onBehalfOf: [], from };
}
