import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { type EntryWay, entryWays } from "../catalogue.ts";
import type { ReceiptKind } from "./tables.ts";

/** Makes other changes of the catalogue wait until this transaction ends. */
export async function lockCatalogue(transaction: Connection): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('catalogue'))`.execute(transaction);
}

type NewCause = {
  readonly fund: string;
  readonly title: string;
  readonly description: string;
  readonly way: EntryWay;
  readonly asksNames: boolean;
  readonly receiptKind: ReceiptKind;
  readonly hasAdminFee: boolean;
  readonly cents: number | null;
  /** Its first kind; null without kinds. */
  readonly firstKind: string | null;
};

/** Adds a cause at the end, with its first kind if it has kinds. */
export async function insertCause(transaction: Connection, cause: NewCause): Promise<number> {
  const { kinds, quantity, free } = entryWays[cause.way];
  const { id } = await transaction
    .insertInto("donation_categories")
    .values({
      fund: cause.fund,
      title: cause.title,
      description: cause.description,
      asks_names: cause.asksNames,
      has_subcategories: kinds,
      quantity_is_editable: quantity,
      amount_is_editable: free,
      receipt_kind: cause.receiptKind,
      admin_fee_applies: cause.hasAdminFee,
      retired_at: null,
      amount_cents: kinds ? null : cause.cents,
      position: sql<number>`(select coalesce(max(position), 0) + 1 from donation_categories)`,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (cause.firstKind !== null) await insertKind(transaction, id, { title: cause.firstKind, cents: cause.cents });
  return id;
}

/** Adds a kind at the end of the cause's list; without `cents` donors choose the amount. */
export async function insertKind(
  transaction: Connection,
  categoryId: number,
  { title, cents }: { readonly title: string; readonly cents: number | null },
): Promise<void> {
  await transaction
    .insertInto("donation_subcategories")
    .values({
      category_id: categoryId,
      title,
      amount_cents: cents,
      retired_at: null,
      position: sql<number>`(select coalesce(max(position), 0) + 1 from donation_subcategories
        where category_id = ${categoryId})`,
    })
    .execute();
}

type CauseChange = {
  readonly title?: string;
  readonly description?: string;
  readonly suggested_cents?: number[];
  readonly receipt_kind?: ReceiptKind;
  readonly admin_fee_applies?: boolean;
  readonly retired_at?: Date | null;
};

export async function updateCause(transaction: Connection, id: number, change: CauseChange): Promise<void> {
  await transaction.updateTable("donation_categories").set(change).where("id", "=", id).execute();
}

export async function updateKind(
  transaction: Connection,
  id: number,
  change: { readonly title?: string; readonly retired_at?: Date | null },
): Promise<void> {
  await transaction.updateTable("donation_subcategories").set(change).where("id", "=", id).execute();
}

/** Puts the rows with these ids in this order. */
export async function orderRows(
  transaction: Connection,
  table: "donation_categories" | "donation_subcategories",
  ids: readonly number[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} as row set position = wanted.place
      from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
     where row.id = wanted.id`.execute(transaction);
}

export type NewPrice = {
  readonly categoryId: number;
  readonly subcategoryId: number | null;
  readonly holdsFrom: string;
  readonly cents: number;
  readonly by: number;
  readonly at: Date;
};

/** `holdsFrom` is a day in Sydney, `cents` the price of one. */
export async function insertPrice(transaction: Connection, price: NewPrice): Promise<void> {
  await transaction
    .insertInto("donation_prices")
    .values({
      category_id: price.categoryId,
      subcategory_id: price.subcategoryId,
      holds_from: price.holdsFrom,
      amount_cents: price.cents,
      set_at: price.at,
      set_by: price.by,
    })
    .execute();
}

/** The row stays, marked as withdrawn: the price before it holds on. */
export async function withdrawPrice(transaction: Connection, id: number, by: number, at: Date): Promise<void> {
  await transaction
    .updateTable("donation_prices")
    .set({ withdrawn_at: at, withdrawn_by: by })
    .where("id", "=", id)
    .execute();
}
