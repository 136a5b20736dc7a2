import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { INSTRUMENT_LIFE_MS } from "./send.ts";

/**
 * Attempts whose process did not come back before its lease ended become `unknown`, to be asked about; those that were
 * never sent, because the payer's bank did not answer or the payer did not come back from it, are cancelled: nothing was
 * charged, and whoever left without a word gets no letter. Card tokens are forgotten once they can no longer be sent.
 * Returns how many were lost.
 */
export async function sweep(database: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with lost as (
      update payment_attempts
         set state = 'unknown', state_version = state_version + 1, was_uncertain = true, lease_until = null,
             next_check_at = ${now}
       where id in (select id from payment_attempts where state = 'submitting' and lease_until < ${now}
                     order by lease_until limit 500 for update skip locked)
      returning id
    )
    insert into payment_events (attempt_id, from_state, to_state, event, actor, at)
    select id, 'submitting', 'unknown', 'answer_lost', 'sweeper', ${now} from lost
    returning attempt_id as id`.execute(database);
  await sql`
    with over as (
      select id, state from payment_attempts where state in ('created', 'requires_action') and lease_until < ${now}
       order by lease_until limit 500 for update skip locked
    ), cancelled as (
      update payment_attempts
         set state = 'cancelled', state_version = state_version + 1, lease_until = null, instrument = null,
             settled_at = ${now}
        from over where payment_attempts.id = over.id
      returning over.id, over.state as from_state
    )
    insert into payment_events (attempt_id, from_state, to_state, event, actor, at)
    select id, from_state, 'cancelled', 'payment_cancelled', 'sweeper', ${now} from cancelled`.execute(database);
  await database
    .updateTable("payment_attempts")
    .set({ instrument: null })
    .where("instrument", "is not", null)
    .where("created_at", "<", new Date(now.getTime() - INSTRUMENT_LIFE_MS))
    .execute();
  return rows.length;
}
