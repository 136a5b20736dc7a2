import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Price } from "../catalogue.ts";
import { priceOn } from "./store.ts";
import type { ReceiptKind } from "./tables.ts";

/** A cause that donors give to, as staff see it: on offer or not. */
export type Cause = {
  readonly id: number;
  readonly fund: string;
  readonly title: string;
  readonly description: string;
  readonly suggestedCents: readonly number[];
  readonly hasKinds: boolean;
  readonly hasQuantity: boolean;
  readonly isFree: boolean;
  readonly asksNames: boolean;
  readonly receiptKind: ReceiptKind;
  readonly hasAdminFee: boolean;
  readonly isRetired: boolean;
  /** The current price; null if it has none, or each of its kinds has one. */
  readonly cents: number | null;
  readonly kinds: readonly CauseKind[];
};

export type CauseKind = {
  readonly id: number;
  readonly title: string;
  readonly isRetired: boolean;
  readonly cents: number | null;
};

export type SetPrice = Price & {
  readonly setAt: Date;
  readonly setBy: string;
  /** The title of the kind whose price it is; null for a cause without kinds. */
  readonly kind: string | null;
};

/** All causes with the prices of a day: those on offer first, in their order, then the others. */
export async function listCauses(connection: Connection, day: string): Promise<Cause[]> {
  const [categories, kinds] = [
    await connection
      .selectFrom("donation_categories as category")
      .selectAll()
      .select(priceOn(day, sql`null::bigint`, sql.ref("category.amount_cents")).as("cents"))
      .orderBy(sql`retired_at is not null`)
      .orderBy("position")
      .orderBy("id")
      .execute(),
    await connection
      .selectFrom("donation_subcategories as subcategory")
      .innerJoin("donation_categories as category", "category.id", "subcategory.category_id")
      .select(["subcategory.id", "subcategory.title", "subcategory.category_id", "subcategory.retired_at"])
      .select(priceOn(day, sql.ref("subcategory.id"), sql.ref("subcategory.amount_cents")).as("cents"))
      .orderBy(sql`subcategory.retired_at is not null`)
      .orderBy("subcategory.position")
      .orderBy("subcategory.id")
      .execute(),
  ];
  return categories.map((row) => ({
    id: row.id,
    fund: row.fund,
    title: row.title,
    description: row.description,
    suggestedCents: row.suggested_cents,
    hasKinds: row.has_subcategories,
    hasQuantity: row.quantity_is_editable,
    isFree: row.amount_is_editable,
    asksNames: row.asks_names,
    receiptKind: row.receipt_kind,
    hasAdminFee: row.admin_fee_applies,
    isRetired: row.retired_at !== null,
    cents: row.amount_is_editable || row.has_subcategories ? null : row.cents,
    kinds: kinds
      .filter((kind) => kind.category_id === row.id)
      .map(({ id, title, retired_at, cents }) => ({
        id,
        title,
        isRetired: retired_at !== null,
        cents: row.amount_is_editable ? null : (cents ?? row.cents),
      })),
  }));
}

/** One cause with its kinds and the prices of this day in Sydney. */
export async function findCause(connection: Connection, id: number, day: string): Promise<Cause | null> {
  return (await listCauses(connection, day)).find((cause) => cause.id === id) ?? null;
}

/** Every price that was set for a cause, the latest day first. */
export async function listPrices(connection: Connection, categoryId: number): Promise<SetPrice[]> {
  const rows = await connection
    .selectFrom("donation_prices as price")
    .innerJoin("staff", "staff.id", "price.set_by")
    .leftJoin("donation_subcategories as kind", "kind.id", "price.subcategory_id")
    .select(["price.id", "price.subcategory_id", "price.holds_from", "price.amount_cents", "price.set_at"])
    .select(["price.withdrawn_at", "staff.name as setBy", "kind.title as kind"])
    .where("price.category_id", "=", categoryId)
    .orderBy("price.holds_from", "desc")
    .orderBy("price.id", "desc")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    subcategoryId: row.subcategory_id,
    holdsFrom: row.holds_from,
    cents: row.amount_cents,
    isWithdrawn: row.withdrawn_at !== null,
    setAt: row.set_at,
    setBy: row.setBy,
    kind: row.kind,
  }));
}
