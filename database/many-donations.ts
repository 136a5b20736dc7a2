import { sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";

const tables = ["donations", "donation_lines", "payment_attempts", "refunds"];

/**
 * Writes donations of many people over seven years up to `until`, with payments, receipts and refunds, in a few
 * statements: names in two scripts, common and rare ones, some only among the oldest; funds of one season; every state.
 * Only for an empty database, because nothing is checked.
 */
export async function makeManyDonors(database: Database, { count, until }: { count: number; until: Date }) {
  await database.transaction().execute(async (transaction) => {
    const indexes = await dropIndexes(transaction);
    for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(transaction);
    await sql`set local statement_timeout = 0`.execute(transaction);
    await makeNames(transaction);
    await sql`
      create temporary table made on commit drop as
      select gen_random_uuid() as id, gen_random_uuid() as attempt, place,
        'D-' || substr(code, 1, 4) || '-' || substr(code, 5, 4) || '-' || substr(code, 9, 4) as reference,
        date_trunc('milliseconds', ${until}::timestamptz - (${count}::integer - place) * (interval '7 years' / ${count}::integer)) as at,
        (hashtext(place || ' dice') & 65535) % 1000 as dice, (hashtext(place || ' method') & 65535) % 100 as method_dice,
        (hashtext(place || ' amount') & 65535) % 1000 as amount_dice
      from (select place, translate(upper(md5(place::text)), 'ILOU', '0123') as code
              from generate_series(1, ${count}::integer) as place) as each`.execute(transaction);
    await writeDonations(transaction, count);
    await writePayments(transaction);
    await sql`set constraints all immediate`.execute(transaction);
    for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(transaction);
    for (const definition of indexes) await sql.raw(definition).execute(transaction);
  });
  await sql`vacuum analyze donations, donation_lines, donation_funds, payment_attempts, receipts, refunds`.execute(
    database,
  );
}

/** Building the indexes afterwards is faster. */
async function dropIndexes(database: Connection): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
     where tablename in ('donations', 'payment_attempts', 'receipts') and indexdef not like 'CREATE UNIQUE%'
       and schemaname = current_schema()`.execute(database);
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(database);
  return rows.map(({ definition }) => definition);
}

async function makeNames(transaction: Connection) {
  await sql`
    create temporary table first_names on commit drop as
    select row_number() over () - 1 as place, name from unnest(array['Muhammad', 'Fatima', 'Amina', 'Ali', 'Hassan', 'Ayesha',
      'Bilal', 'Zainab', 'Omar', 'Maryam', 'James', 'Olivia', 'Liam', 'Grace', 'Noah', 'Chloe', 'Wei', 'Sofia', 'Hans',
      'Zoë', 'Imran', 'Sana', 'Tariq', 'Yusuf', 'Khadija', 'Ibrahim', 'Layla', 'Ahmed', 'Nadia', 'Farid', 'Claire', 'Jack',
      'Emily', 'Mia', 'Ethan', 'Ruby', 'Aisha', 'Usman', 'Hamza', 'Iqra', 'علی', 'فاطمہ', 'احمد', 'عائشہ', 'محمد', 'حسن',
      'زینب', 'بلال', 'سارہ', 'عمر']) as name`.execute(transaction);
  await sql`
    create temporary table last_names on commit drop as
    select row_number() over () - 1 as place, name from unnest(array['Khan', 'Ahmed', 'Raza', 'Siddiqui', 'Qureshi',
      'Hussain', 'Malik', 'Sheikh', 'Chaudhry', 'Butt', 'Smith', 'Jones', 'O’Connor', 'Brown', 'Wilson', 'Nguyen', 'Zhang',
      'Papadopoulos', 'Rossi', 'Müller', 'خان', 'قریشی', 'صدیقی', 'ملک', 'شیخ']
      || array(select initcap(a || b || c) from unnest(array['bar', 'dor', 'fen', 'gol', 'har', 'jin', 'kel', 'lor', 'mar',
        'nev', 'pel', 'ros', 'sal', 'tor', 'vin', 'war']) as a, unnest(array['a', 'e', 'i', 'o', 'an', 'en', 'il', 'or'])
        as b, unnest(array['bridge', 'croft', 'dale', 'ford', 'ham', 'ley', 'mont', 'ridge', 'son', 'ton', 'well', 'zai'])
        as c)) as name`.execute(transaction);
}

/** The oldest thousandth has names that nobody else has. */
async function writeDonations(transaction: Connection, count: number) {
  await sql`
    create temporary table given on commit drop as
    select made.*, case when made.place <= ${count}::integer / 1000 then 'Zephyrine' else first.name end as first_name,
      case when made.place <= ${count}::integer / 1000 then (array['Quillfeather', 'ڈوگر'])[made.place % 2 + 1] else last.name end as last_name,
      case when amount_dice < 300 then 5000 when amount_dice < 500 then 10000 when amount_dice < 600 then 2500
           when amount_dice < 995 then 1000 + (hashtext(made.place::text) & 65535) else 500000 + made.place % 1000 end as cents,
      case when dice % 97 = 0 and extract(month from at) between 5 and 6 then 'qurban'
           when extract(month from at) = 6 and method_dice < 70 then 'qurban'
           when extract(year from at) = 2022 and method_dice < 20 then 'flood-relief'
           else (array['zakat', 'zakat', 'zakat', 'sadaqah', 'where-needed-most', 'ambulance', 'education', 'dastarkhwan',
             'patient-care', 'homes'])[(hashtext(made.place || ' fund') & 65535) % 10 + 1] end as fund,
      case when method_dice < 15 then 'pp' else 'cc' end as method
    from made
    join first_names first on first.place = ((hashtext(made.place || ' first') & 65535) % 50 * (hashtext(made.place || ' f') & 65535) % 50) % 50
    join last_names last on last.place = case when dice % 3 = 0 then dice % 25 else (hashtext(made.place || ' last') & 65535) % 1561 end`.execute(
    transaction,
  );
  await sql`
    insert into donations (id, reference, first_name, last_name, email, postcode, method, subtotal_cents,
      admin_fee_cents, merchant_fee_cents, total_cents, created_at)
    select id, reference, first_name, last_name,
      case when fold_text(first_name) ~ '[A-Z]' then 'donor' else fold_text(first_name) end || '.' || place % 300000 || '@'
        || (array['gmail.com', 'gmail.com', 'hotmail.com', 'outlook.com', 'example.org'])[place % 5 + 1],
      2000 + place % 900, method, cents, 0, 0, cents, at
    from given`.execute(transaction);
  await sql`
    insert into donation_lines (donation_id, position, category_id, fund, category_title, subcategory_title,
      receipt_kind, quantity, unit_cents, line_cents, admin_share_cents, merchant_share_cents)
    select given.id, 0, category.id, fund, title, '', receipt_kind, 1, cents, cents, 0, 0
      from given join donation_categories category using (fund)`.execute(transaction);
  await sql`insert into donation_funds select fund, at, id from given`.execute(transaction);
}

async function writePayments(transaction: Connection) {
  await sql`
    insert into payment_attempts (id, donation_id, provider, order_reference, idempotency_key, client_key, request_hash,
      instrument_hash, amount_cents, currency, state, sent_at, settled_at, customer_ip_address, created_at,
      provider_transaction_id, raw)
    select attempt, id, case method when 'pp' then 'braintree' else 'payway' end, 'P' || substr(reference, 2), attempt,
      attempt, '', sha256(id::text::bytea), cents, 'AUD',
      case when dice < 50 then 'failed' when dice < 60 then 'cancelled' when dice < 63 then 'not_found'
           when dice < 73 then 'refunded' when dice < 78 then 'partially_refunded'
           when dice = 78 and method_dice < 50 then 'disputed' else 'succeeded' end,
      at, at, '203.0.113.7', at, 1000000000 + place,
      case method when 'cc' then jsonb_build_object('creditCard', jsonb_build_object('cardNumber',
        '424242...' || lpad((place % 1000)::text, 3, '0'))) end
    from given`.execute(transaction);
  await sql`
    insert into receipts (number, donation_id, data, issued_at)
    select place, id, '{}', at from given where dice >= 63`.execute(transaction);
  await sql`
    insert into refunds (id, attempt_id, request_key, order_reference, idempotency_key, amount_cents, requested_by, state,
      provider_transaction_id, sent_at, settled_at, created_at)
    select gen_random_uuid(), attempt, attempt::text, 'R' || substr(reference, 2), attempt,
      case when dice < 73 then cents else cents / 2 end, 'staff', 'succeeded', 2000000000 + place, at, at, at
    from given where dice between 63 and 77`.execute(transaction);
}
