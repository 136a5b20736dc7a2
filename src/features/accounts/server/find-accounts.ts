import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";

/** An account, as staff find it. */
type FoundAccount = {
  /** In the address of the person's page: 'account-12', because the pages of donors have the ids of donations. */
  readonly key: string;
  readonly name: string;
  readonly email: string;
  readonly since: Date;
};

const MAX_FOUND = 5;

/** Null if there is no such account. */
export async function findAccountEmail(connection: Connection, key: string): Promise<string | null> {
  const [, id] = /^account-(\d{1,15})$/.exec(key) ?? [];
  if (id === undefined) return null;
  const account = connection.selectFrom("users").select("email").where("id", "=", Number(id));
  return (await account.executeTakeFirst())?.email ?? null;
}

/** Accounts by the beginnings of words in name or email, the latest first. */
export async function searchAccounts(connection: Connection, text: string): Promise<FoundAccount[]> {
  const { rows } = await sql<FoundAccount>`
    with found as materialized (
      select * from users
       where search_words(fold_text(first_name || ' ' || last_name || ' ' || email)) @@ words_that_begin(${text}))
    select 'account-' || id as key, first_name || ' ' || last_name as name, email, created_at as since
      from found order by created_at desc, id desc limit ${MAX_FOUND}`.execute(connection);
  return rows;
}
