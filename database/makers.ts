import { createHash, randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { newReference } from "#shared/payments/reference.ts";

/** Writes a donation of one $100 Zakat line with both fees, or what `changes` make of it. Returns its id. */
export async function makeDonation(
  database: Database,
  changes: {
    donation?: Partial<Insertable<Tables["donations"]>>;
    line?: Partial<Insertable<Tables["donation_lines"]>>;
  } = {},
): Promise<string> {
  const id = changes.donation?.id ?? randomUUID();
  await database.transaction().execute(async (transaction) => {
    const zakat = await transaction
      .selectFrom("donation_categories")
      .select("id")
      .where("fund", "=", "zakat")
      .executeTakeFirstOrThrow();
    await transaction
      .insertInto("donations")
      .values({
        id,
        reference: newReference("D"),
        is_anonymous: false,
        first_name: "Amina",
        last_name: "Raza",
        email: "amina@example.com",
        postcode: "2144",
        method: "cc",
        subtotal_cents: 10_000,
        admin_fee_cents: 500,
        merchant_fee_cents: 158,
        total_cents: 10_658,
        created_at: new Date(),
        ...changes.donation,
      })
      .execute();
    await transaction
      .insertInto("donation_lines")
      .values({
        donation_id: id,
        position: 0,
        category_id: zakat.id,
        subcategory_id: null,
        fund: "zakat",
        category_title: "Zakat",
        subcategory_title: "",
        receipt_kind: "gift",
        quantity: 1,
        unit_cents: 10_000,
        line_cents: 10_000,
        admin_share_cents: 500,
        merchant_share_cents: 158,
        on_behalf_of: [],
        ...changes.line,
      })
      .execute();
  });
  return id;
}

/** Writes a payment attempt for a donation; in state `submitting` unless `changes` say otherwise. Returns its id. */
export async function makeAttempt(
  connection: Connection,
  donationId: string,
  changes: Partial<Insertable<Tables["payment_attempts"]>> = {},
): Promise<string> {
  const id = randomUUID();
  const instrument = randomUUID();
  await connection
    .insertInto("payment_attempts")
    .values({
      id,
      donation_id: donationId,
      provider: "payway",
      order_reference: newReference("P"),
      idempotency_key: randomUUID(),
      client_key: randomUUID(),
      request_hash: Buffer.alloc(32),
      instrument_hash: createHash("sha256").update(instrument).digest(),
      instrument,
      amount_cents: 10_658,
      currency: "AUD",
      state: "submitting",
      provider_transaction_id: null,
      provider_status: null,
      response_code: null,
      lease_until: new Date(Date.now() + 60_000),
      sent_at: new Date(),
      next_check_at: null,
      settled_at: null,
      customer_address: "203.0.113.7",
      raw: null,
      created_at: new Date(),
      ...changes,
    })
    .execute();
  return id;
}
