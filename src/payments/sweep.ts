import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { INSTRUMENT_LIFE_MS } from "./send.ts";

/** Processes that have died, and attempts that a living one could not finish. */
type Abandoned = { readonly dead: readonly number[]; readonly lost: readonly string[] };

/**
 * Marks attempts as `unknown` if their process died or could not finish them, or if their lease expired. Cancels those
 * that were never sent because the payer's bank did not answer or the payer did not return from it: nothing was
 * charged, and such payers get no email. Forgets card tokens that have expired.
 */
export async function sweep(
  database: Database,
  abandoned: Abandoned,
  { now, giveUpMs }: { now: Date; giveUpMs: number },
): Promise<void> {
  await loseSubmitting(database, abandoned, { now, giveUpMs });
  await cancelUnsent(database, abandoned.dead, now);
  await forgetInstruments(database, now);
}

/** Abandoned attempts get a lease while a last call may still take effect; they are not given up before. */
async function loseSubmitting(
  database: Database,
  { dead, lost }: Abandoned,
  { now, giveUpMs }: { now: Date; giveUpMs: number },
): Promise<void> {
  const carriedOut = new Date(now.getTime() + giveUpMs);
  await sql`
    with lost as (
      update payment_attempts
         set state = 'unknown', state_version = state_version + 1, was_uncertain = true, next_check_at = ${now},
             lease_until = case when lease_until >= ${now} then least(lease_until, ${carriedOut}) end
       where id in (select id from payment_attempts
                     where state = 'submitting' and (lease_until < ${now} or owner = any(${dead}::integer[])
                           or id = any(${lost}::uuid[]))
                     order by lease_until limit 500 for update skip locked)
      returning id
    )
    insert into payment_events (attempt_id, from_state, to_state, event, actor, at)
    select id, 'submitting', 'unknown', 'answer_lost', 'sweeper', ${now} from lost`.execute(database);
}

async function cancelUnsent(database: Database, dead: readonly number[], now: Date): Promise<void> {
  await sql`
    with over as (
      select id, state from payment_attempts
       where (state in ('created', 'requires_action') and lease_until < ${now})
          or (state = 'created' and owner = any(${dead}::integer[]))
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
}

async function forgetInstruments(database: Database, now: Date): Promise<void> {
  await database
    .updateTable("payment_attempts")
    .set({ instrument: null })
    .where("instrument", "is not", null)
    .where("created_at", "<", new Date(now.getTime() - INSTRUMENT_LIFE_MS))
    .execute();
}
