import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { readSearchWords, type SearchTerms } from "./conditions.ts";
import { type Meanings, readMeanings } from "./search-words.ts";

/** Among a million donations, fewer than this share the last digits of a card. */
const MAX_IDS = 5000;

/** Prepares search words for the database; null if nothing is searched for. */
export async function readSearchTerms(transaction: Connection, q: string): Promise<SearchTerms | null> {
  if (q.trim() === "") return null;
  const meanings = readMeanings(q);
  const { rows } = await sql<{ folded: string; hasTrigrams: boolean }>`
    select fold_text(${q.trim()}) as folded, to_regclass('donations_by_parts') is not null as "hasTrigrams"`.execute(
    transaction,
  );
  const { folded, hasTrigrams } = rows[0]!;
  const exact = await findExact(transaction, meanings);
  if (exact !== null) return { ...meanings, words: [], ids: exact, isExact: true };
  return {
    ...meanings,
    words: readSearchWords(folded, hasTrigrams),
    ids: await findByNumber(transaction, meanings),
    isExact: false,
  };
}

/** Finds what has exactly this reference, receipt number or provider's id; null if the words are none of these. */
async function findExact(connection: Connection, { reference, receipt, transactionId }: Meanings) {
  if (reference !== null) {
    return listIds(
      connection,
      sql`select id from donations where reference = ${reference}
        union select donation_id from payment_attempts where order_reference = ${reference}
        union select a.donation_id from refunds r join payment_attempts a on a.id = r.attempt_id
               where r.order_reference = ${reference}`,
    );
  }
  if (receipt !== null)
    return listIds(connection, sql`select donation_id as id from receipts where number = ${receipt}`);
  if (transactionId === null) return null;
  const ids = await listIds(
    connection,
    sql`select donation_id as id from payment_attempts where provider_transaction_id = ${transactionId}
      union select a.donation_id from refunds r join payment_attempts a on a.id = r.attempt_id
             where r.provider_transaction_id = ${transactionId}`,
  );
  return ids.length === 0 ? null : ids;
}

async function findByNumber(connection: Connection, { receiptNumber, cardEnd }: Meanings): Promise<string[]> {
  const queries = [
    ...(receiptNumber === null ? [] : [sql`select donation_id as id from receipts where number = ${receiptNumber}`]),
    ...(cardEnd === null
      ? []
      : [
          sql`(select donation_id as id from payment_attempts
                where raw #>> '{creditCard,cardNumber}' is not null
                  and right(raw #>> '{creditCard,cardNumber}', 3) = ${cardEnd} limit ${MAX_IDS})`,
        ]),
  ];
  return queries.length === 0 ? [] : listIds(connection, sql.join(queries, sql` union `));
}

async function listIds(connection: Connection, query: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ id: string | null }>`${query}`.execute(connection);
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}
