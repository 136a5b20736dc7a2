-- Payments and the ledger.

-- One attempt to take money. src/payments/states.ts has the states and the moves between them.
create table payment_attempts (
  id uuid primary key,
  -- What is paid for: a donation, or a ticket order (0010_tickets.sql). Deferred, so that a copy of a submission is
  -- noticed before anything else of it is written.
  donation_id uuid references donations deferrable initially deferred,
  provider text not null check (provider in ('payway', 'braintree')),
  -- What the provider knows the payment by: our reference, and the key that makes sending it twice harmless.
  order_reference text not null unique check (order_reference ~ '^[0-9A-Z-]{1,20}$'),
  idempotency_key uuid not null unique,
  -- The submission's own key and content, so that a copy of it is answered with this payment.
  client_key text not null unique,
  request_hash bytea not null,
  -- The same card token or nonce never pays twice.
  instrument_hash bytea not null unique,
  -- The token itself, only while it may have to be sent again: emptied once settled, or after ten minutes.
  instrument text,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency = 'AUD'),
  state text not null check (state in ('created', 'requires_action', 'submitting', 'unknown', 'processing', 'succeeded',
    'failed', 'cancelled', 'not_found', 'succeeded_late', 'partially_refunded', 'refunded', 'disputed')),
  -- Raised by each move, so that two processes never make a move from the same state.
  state_version integer not null default 1,
  provider_transaction_id text,
  provider_status text,
  response_code text,
  -- The answer of 3-D Secure 2: Y or A passed, C asks the cardholder, N and R refuse, U is not available.
  -- Null where nobody asked.
  authentication text check (authentication in ('Y', 'A', 'C', 'N', 'R', 'U')),
  -- How often it was sent to the provider.
  sends integer not null default 1,
  -- Until then the process that works on it is left alone.
  lease_until timestamptz(3),
  -- The process that works on it, by the number of the advisory lock that it holds while it is connected to the
  -- database. Null for a process without such a lock: then only the end of the lease takes the payment from it.
  owner integer,
  sent_at timestamptz(3) not null,
  -- When to ask the provider again what became of it, and how often it was asked.
  next_check_at timestamptz(3),
  checks integer not null default 0,
  -- An answer was lost or late once, so the payer is emailed the outcome.
  was_uncertain boolean not null default false,
  settled_at timestamptz(3),
  -- Empty once it has been erased.
  customer_ip_address text not null,
  -- The id in the cookie of the browser that sent it.
  browser_id text,
  -- The provider's last reply, without card details.
  raw jsonb,
  created_at timestamptz(3) not null,
  unique (provider, provider_transaction_id)
);
-- A donation has at most one payment that is under way or has succeeded.
create unique index payment_attempts_one_live on payment_attempts (donation_id)
  where state in ('created', 'requires_action', 'submitting', 'unknown', 'processing', 'succeeded', 'succeeded_late',
    'partially_refunded', 'refunded', 'disputed');
create index payment_attempts_of_donation on payment_attempts (donation_id);
create index payment_attempts_leased on payment_attempts (lease_until) where state = 'submitting';
create index payment_attempts_waiting_for_bank on payment_attempts (lease_until)
  where state in ('created', 'requires_action');
create index payment_attempts_to_check on payment_attempts (next_check_at) where next_check_at is not null;
create index payment_attempts_recently_settled on payment_attempts (settled_at) where settled_at is not null;
create index payment_attempts_by_day on payment_attempts (provider, sent_at);
create index payment_attempts_of_browser on payment_attempts (browser_id, sent_at) where browser_id is not null;
-- What the erasure of personal data looks for.
create index payment_attempts_with_instrument on payment_attempts (sent_at) where instrument is not null;
create index payment_attempts_with_ip_address on payment_attempts (created_at)
  where customer_ip_address <> '' or browser_id is not null;
create index payment_attempts_unpaid_with_ip_address on payment_attempts (created_at)
  where state in ('failed', 'cancelled', 'not_found') and customer_ip_address <> '';

create table payment_events (
  id bigint generated always as identity primary key,
  attempt_id uuid not null references payment_attempts,
  from_state text,
  to_state text not null,
  event text not null,
  actor text not null check (actor in ('request', 'sweeper', 'reconciler', 'refund')),
  detail jsonb,
  at timestamptz(3) not null
);
create index payment_events_of_attempt on payment_events (attempt_id, id);
create trigger payment_events_append_only before update or delete on payment_events
  for each row execute function refuse_change();
create trigger payment_events_no_truncate before truncate on payment_events
  for each statement execute function refuse_change();

-- Double entry: debits are positive, credits negative.
create table ledger_entries (
  id bigint generated always as identity primary key,
  transaction_id uuid not null,
  attempt_id uuid not null references payment_attempts,
  account text not null,
  amount_cents bigint not null check (amount_cents <> 0),
  at timestamptz(3) not null
);
create index ledger_entries_of_transaction on ledger_entries (transaction_id);
create index ledger_entries_of_attempt on ledger_entries (attempt_id);
create index ledger_entries_of_account on ledger_entries (account, at);
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();
create trigger ledger_entries_no_truncate before truncate on ledger_entries
  for each statement execute function refuse_change();

-- Each ledger transaction sums to zero.
create function check_ledger_balance() returns trigger language plpgsql as $$
begin
  if (select sum(amount_cents) from ledger_entries where transaction_id = new.transaction_id) <> 0 then
    raise exception 'ledger transaction % does not sum to zero', new.transaction_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function check_ledger_balance();

-- Besides the triggers, the site's own role may not even try.
revoke update, delete, truncate on payment_events, ledger_entries from current_user;

-- A circuit breaker for each provider that has failed, shared by all processes.
create table provider_health (
  provider text primary key check (provider in ('payway', 'braintree')),
  failures integer not null default 0,
  opened_at timestamptz(3),
  next_probe_at timestamptz(3)
);

-- One row. While cards are guarded against card testing, payments need more proof, and only declines since
-- `guarded_from` count.
create table decline_breaker (
  is_singleton boolean primary key default true check (is_singleton),
  guarded_from timestamptz(3),
  guarded_until timestamptz(3)
);
insert into decline_breaker default values;
