import { createHash, randomUUID } from "node:crypto";
import { hashSync } from "@node-rs/argon2";
import { type Insertable, sql } from "kysely";
import { newReference } from "#payments/reference.ts";
import type { PaymentState } from "#payments/states.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";

/** Writes a donation of one $100 Zakat line with both fees, with any `changes`. Returns its id. */
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
      customer_ip_address: "203.0.113.7",
      raw: null,
      created_at: new Date(),
      ...changes,
    })
    .execute();
  return id;
}

/**
 * Writes a completed refund: its row, its ledger entries and the payment's new state. `returns` has the cents from each
 * account, which sum to the amount. Returns the refund and its payment.
 */
export async function makeRefund(
  connection: Connection,
  attemptId: string,
  returns: Readonly<Record<string, number>>,
  changes: Partial<Insertable<Tables["refunds"]>> = {},
) {
  const id = randomUUID();
  const at = changes.settled_at ?? changes.created_at ?? new Date();
  const amount = Object.values(returns).reduce((sum, cents) => sum + cents, 0);
  const refund = await connection
    .insertInto("refunds")
    .values({
      id,
      attempt_id: attemptId,
      request_key: randomUUID(),
      order_reference: newReference("R"),
      idempotency_key: randomUUID(),
      amount_cents: amount,
      requested_by: "staff",
      state: "succeeded",
      provider_transaction_id: randomUUID(),
      provider_status: "approved",
      lease_until: null,
      sent_at: at,
      next_check_at: null,
      settled_at: at,
      raw: null,
      created_at: at,
      ...changes,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const attempt = await markRefunded(connection, attemptId);
  const transactionId = randomUUID();
  await connection
    .insertInto("ledger_entries")
    .values(
      Object.entries({ ...returns, [`receivable:${attempt.provider}`]: -amount })
        .filter(([, cents]) => cents !== 0)
        .map(([account, cents]) => ({
          transaction_id: transactionId,
          attempt_id: attemptId,
          refund_id: id,
          account,
          amount_cents: cents,
          at,
        })),
    )
    .execute();
  return { refund, attempt };
}

/** Gives a payment the state that follows from its refunds. */
async function markRefunded(connection: Connection, attemptId: string) {
  const refunded = await connection
    .selectFrom("refunds")
    .select(({ fn }) => fn.sum<string>("amount_cents").as("cents"))
    .where("attempt_id", "=", attemptId)
    .executeTakeFirstOrThrow();
  return connection
    .updateTable("payment_attempts")
    .set(({ eb }) => ({
      state: eb
        .case()
        .when("amount_cents", ">", Number(refunded.cents))
        .then<PaymentState>("partially_refunded")
        .else<PaymentState>("refunded")
        .end(),
    }))
    .where("id", "=", attemptId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Writes an active treasurer, with any `changes`. */
export async function makeStaff(
  connection: Connection,
  changes: Partial<Insertable<Tables["staff"]>> = {},
): Promise<{ id: number; email: string; name: string }> {
  return connection
    .insertInto("staff")
    .values({
      email: `staff-${randomUUID()}@example.org`,
      name: "Yusuf Demir",
      roles: ["treasurer"],
      state: "active",
      created_at: new Date(),
      ...changes,
    })
    .returning(["id", "email", "name"])
    .executeTakeFirstOrThrow();
}

/** The password of every user from `makeUser`, with the cheapest hash. */
export const MADE_PASSWORD = "a password of tests";
let madeHash: string | undefined;

/** Writes a user whose password is `MADE_PASSWORD`; each has a different email unless `changes` has one. */
export async function makeUser(
  connection: Connection,
  changes: Partial<Insertable<Tables["users"]>> = {},
): Promise<{ id: number; email: string }> {
  madeHash ??= hashSync(MADE_PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  return connection
    .insertInto("users")
    .values({
      email: `user-${randomUUID()}@example.com`,
      password_hash: madeHash,
      first_name: "Amina",
      last_name: "Raza",
      country: "Australia",
      state: "New South Wales",
      mobile: "61400000000",
      postcode: "2144",
      preferred_contact: "SMS",
      email_verified_at: null,
      created_at: new Date(),
      ...changes,
    })
    .returning(["id", "email"])
    .executeTakeFirstOrThrow();
}

/** Writes a passkey without a device. Returns its id. */
export async function makePasskey(connection: Connection, userId: number): Promise<string> {
  const id = randomUUID();
  await connection
    .insertInto("passkeys")
    .values({
      id,
      user_id: userId,
      credential_id: randomUUID(),
      public_key: Buffer.alloc(77),
      user_handle: "somebody",
      counter: 0,
      transports: [],
      name: "Chrome on Android",
      created_at: new Date(),
      last_used_at: null,
      blocked_at: null,
    })
    .execute();
  return id;
}

/**
 * Writes many paid donations of one person with receipts, in few statements: $100 of Zakat with both fees, one every
 * `minutes` before `until`. The receipts have only their numbers.
 */
export async function makeManyDonations(
  database: Database,
  {
    userId,
    count,
    until = new Date(),
    minutes = 10,
  }: { userId: number; count: number; until?: Date; minutes?: number },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`
      create temporary table made on commit drop as
      select gen_random_uuid() as id, place,
        'D-' || translate(regexp_replace(upper(md5(${userId} || ' ' || place)), '^(.{4})(.{4})(.{4}).*$', '\\1-\\2-\\3'), 'ILOU', '0123') as reference,
        ${until}::timestamptz - place * ${minutes}::integer * interval '1 minute' as at
      from generate_series(1, ${count}::integer) as place`.execute(transaction);
    await sql`
      insert into donations (id, reference, user_id, first_name, last_name, email, postcode, method, subtotal_cents,
        admin_fee_cents, merchant_fee_cents, total_cents, created_at)
      select id, reference, ${userId}, 'Amina', 'Raza', 'amina@example.com', '2144', 'cc', 10000, 500, 158, 10658, at
      from made`.execute(transaction);
    await sql`
      insert into donation_lines (donation_id, position, category_id, fund, category_title, subcategory_title,
        receipt_kind, quantity, unit_cents, line_cents, admin_share_cents, merchant_share_cents, on_behalf_of)
      select made.id, 0, category.id, fund, title, '', receipt_kind, 1, 10000, 10000, 500, 158, '{}'
      from made, donation_categories as category where fund = 'zakat'`.execute(transaction);
    await sql`
      insert into payment_attempts (id, donation_id, provider, order_reference, idempotency_key, client_key, request_hash,
        instrument_hash, amount_cents, currency, state, sent_at, settled_at, customer_ip_address, created_at)
      select gen_random_uuid(), id, 'payway', 'P' || substr(reference, 2), gen_random_uuid(), gen_random_uuid(), '',
        sha256(id::text::bytea), 10658, 'AUD', 'succeeded', at, at, '203.0.113.7', at
      from made`.execute(transaction);
    await sql`
      with counter as (update receipt_counter set last_number = last_number + ${count}::integer returning last_number)
      insert into receipts (number, donation_id, data, issued_at)
      select last_number - place + 1, id, '{}', at from made, counter`.execute(transaction);
  });
}
