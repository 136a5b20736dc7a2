-- Refunds, and the nightly comparison of the providers' books with the ledger.

-- One attempt to give money back. src/payments/refunds/refund-states.ts has the states and the moves between them.
create table refunds (
  id uuid primary key,
  attempt_id uuid not null references payment_attempts,
  -- `refund` and `void` are ours or the provider's; a `chargeback` is a lost dispute; a `reversal` is a charge that the
  -- provider took back by itself. Certain once the money has moved.
  kind text not null default 'refund' check (kind in ('refund', 'void', 'chargeback', 'reversal')),
  -- Identifies the request, so that requesting twice gives money back once.
  request_key text not null unique,
  order_reference text not null unique check (order_reference ~ '^[0-9A-Z-]{1,20}$'),
  idempotency_key uuid not null unique,
  amount_cents bigint not null check (amount_cents > 0),
  -- `provider` where we only found that it had happened.
  requested_by text not null check (requested_by in ('staff', 'system', 'provider')),
  reason text not null default '',
  state text not null check (state in ('requested', 'submitting', 'unknown', 'succeeded', 'failed')),
  state_version integer not null default 1,
  provider_transaction_id text,
  provider_status text,
  sends integer not null default 0,
  lease_until timestamptz(3),
  -- As payment_attempts.owner.
  owner integer,
  sent_at timestamptz(3),
  next_check_at timestamptz(3),
  checks integer not null default 0,
  settled_at timestamptz(3),
  raw jsonb,
  created_at timestamptz(3) not null,
  unique (attempt_id, provider_transaction_id)
);
create index refunds_of_attempt on refunds (attempt_id);
create index refunds_to_check on refunds (next_check_at) where next_check_at is not null;
create index refunds_leased on refunds (lease_until) where state = 'submitting';
create index refunds_by_time on refunds (created_at);

-- Never more back than was taken. The payment's row is locked, so that two requests at once see each other.
create function check_refunds_within_payment() returns trigger language plpgsql as $$
declare
  captured bigint;
begin
  select amount_cents into captured from payment_attempts where id = new.attempt_id for no key update;
  if (select sum(amount_cents) from refunds where attempt_id = new.attempt_id and state <> 'failed') > captured then
    raise exception 'the refunds of payment % exceed what was charged', new.attempt_id
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger refunds_within_payment after insert or update of amount_cents, state on refunds
  for each row execute function check_refunds_within_payment();

create table refund_events (
  id bigint generated always as identity primary key,
  refund_id uuid not null references refunds,
  from_state text,
  to_state text not null,
  event text not null,
  detail jsonb,
  at timestamptz(3) not null
);
create index refund_events_of_refund on refund_events (refund_id, id);
create trigger refund_events_append_only before update or delete on refund_events
  for each row execute function refuse_change();
create trigger refund_events_no_truncate before truncate on refund_events
  for each statement execute function refuse_change();
revoke update, delete, truncate on refund_events from current_user;

-- The refund that an entry belongs to, where it is one's.
alter table ledger_entries add column refund_id uuid references refunds;
create index ledger_entries_of_refund on ledger_entries (refund_id) where refund_id is not null;

create table reconciliation_runs (
  id bigint generated always as identity primary key,
  provider text not null check (provider in ('payway', 'braintree')),
  -- In Sydney.
  day date not null,
  state text not null check (state in ('running', 'done', 'failed')),
  -- What moved on the day, charges less refunds, by the provider's books and by our ledger.
  provider_cents bigint,
  ledger_cents bigint,
  transactions integer,
  detail text not null default '',
  lease_until timestamptz(3),
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  unique (provider, day)
);

-- A difference between the two, open until it is resolved.
create table reconciliation_findings (
  id bigint generated always as identity primary key,
  provider text not null check (provider in ('payway', 'braintree')),
  kind text not null,
  -- The provider's transaction or, where it has none, our order reference.
  reference text not null,
  day date not null,
  attempt_id uuid references payment_attempts,
  refund_id uuid references refunds,
  ours_cents bigint,
  theirs_cents bigint,
  detail text not null default '',
  found_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  resolved_at timestamptz(3),
  unique (provider, kind, reference)
);
create index reconciliation_findings_open on reconciliation_findings (found_at) where resolved_at is null;
