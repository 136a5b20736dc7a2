-- Recording a payment is one call, and so is settling it: one message, and no lock waits for another message.
-- Each function runs in a transaction of its own, or in the caller's. Arguments are JSON with the names of the columns.

-- Records an attempt to pay, and its first event. Writes and returns nothing for a copy of an earlier submission, or
-- while another payment of the same order is under way.
create function record_payment(payment jsonb) returns setof payment_attempts language sql as $$
  with recorded as (
    insert into payment_attempts
      (id, donation_id, ticket_order_id, provider, order_reference, idempotency_key, client_key, request_hash,
       instrument_hash, instrument, amount_cents, currency, state, lease_until, owner, sent_at, customer_ip_address,
       browser_id, created_at)
    select id, donation_id, ticket_order_id, provider, order_reference, idempotency_key, client_key, request_hash,
           instrument_hash, instrument, amount_cents, currency, state, lease_until, owner, sent_at, customer_ip_address,
           browser_id, created_at
      from jsonb_populate_record(null::payment_attempts, payment)
    on conflict do nothing
    returning *
  ), written as (
    insert into payment_events (attempt_id, to_state, event, actor, at)
    select id, state, payment ->> 'event', 'request', created_at from recorded
  )
  select * from recorded
$$;

-- A solved captcha is worth one payment. A second use waits here until the first has committed, and raises AL003.
create function spend_captcha(solved text, at timestamptz) returns void language plpgsql as $$
begin
  insert into captcha_uses (nonce, used_at) values (solved, at) on conflict do nothing;
  if not found then
    raise exception 'the captcha was used before' using errcode = 'AL003';
  end if;
end $$;

-- Compare-and-set: moves an attempt from the state and version that the caller has seen, and writes the event. Returns
-- nothing where somebody else has moved it since. `changes` has the new state and the columns that change with it.
create function move_payment(move jsonb) returns setof payment_attempts language sql as $$
  with seen as (
    select * from jsonb_to_record(move) as seen (
      id uuid, state text, state_version integer, changes jsonb, event text, actor text, detail jsonb, at timestamptz
    )
  ), moved as (
    update payment_attempts as attempt
       set (state, state_version, lease_until, owner, sent_at, next_check_at, settled_at, was_uncertain, instrument,
            authentication, provider_transaction_id, provider_status, response_code, raw)
         = (select state, attempt.state_version + 1, lease_until, owner, sent_at, next_check_at, settled_at,
                   was_uncertain, instrument, authentication, provider_transaction_id, provider_status, response_code,
                   raw
              from jsonb_populate_record(attempt, seen.changes))
      from seen
     where attempt.id = seen.id and attempt.state = seen.state and attempt.state_version = seen.state_version
    returning attempt.*
  ), written as (
    insert into payment_events (attempt_id, from_state, to_state, event, actor, detail, at)
    select moved.id, seen.state, moved.state, seen.event, seen.actor, seen.detail, seen.at from moved, seen
  )
  select * from moved
$$;

-- Moves an attempt to a state in which it is paid, and posts it to the ledger: what the provider owes us, against the
-- credits, [{account, cents}], which sum to its negative (the ledger refuses any others). Returns nothing, and posts
-- nothing, where somebody else has moved it.
create function settle_payment(move jsonb, credits jsonb) returns setof payment_attempts language plpgsql as $$
declare
  settled payment_attempts;
  posting uuid := gen_random_uuid();
begin
  select * into settled from move_payment(move);
  if not found then return; end if;
  insert into ledger_entries (transaction_id, attempt_id, account, amount_cents, at)
  select posting, settled.id, account, cents, settled.settled_at
    from (select 'receivable:' || settled.provider, settled.amount_cents
          union all
          select account, cents from jsonb_to_recordset(credits) as credit (account text, cents bigint)
         ) as entry (account, cents)
   where cents <> 0;
  return next settled;
end $$;

-- Adds jobs with these contents, [{...}], to the outbox as pg-boss does, with the terms of their queue.
create function send_jobs(to_queue text, contents jsonb) returns void language plpgsql as $$
begin
  insert into pgboss.job
    (name, data, start_after, created_on, expire_seconds, deletion_seconds, keep_until, retry_limit, retry_delay,
     retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds)
  select name, content, pgboss.job_now(), pgboss.job_now(), expire_seconds, deletion_seconds,
         pgboss.job_now() + retention_seconds * interval '1 second', retry_limit, retry_delay,
         retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds
    from pgboss.queue, jsonb_array_elements(contents) as content where name = to_queue;
end $$;
