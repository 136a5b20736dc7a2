-- Content, settings, the donation catalogue, donations, payments and their ledger, receipts, limits and the mailbox.
-- Times are timestamptz(3), because a JavaScript Date holds milliseconds and a finer clock would skip rows in keyset paging.

create table site_settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz(3) not null default now()
);

-- One row. Every change to what pages show bumps it and tells every process to drop its cached pages.
create table content_version (
  is_only boolean primary key default true check (is_only),
  version bigint not null default 1
);
insert into content_version default values;

create function bump_content_version() returns trigger language plpgsql as $$
begin
  update content_version set version = version + 1;
  perform pg_notify('content_changed', '');
  return null;
end $$;

create table pages (
  type text primary key,
  title text not null,
  html text not null,
  image text,
  updated_at timestamptz(3) not null default now()
);

create table causes (
  id bigint generated always as identity primary key,
  position integer not null,
  title text not null,
  description text not null,
  image text not null
);
create index causes_by_position on causes (position, id);

create table testimonials (
  id bigint generated always as identity primary key,
  position integer not null,
  title text not null,
  image text not null
);
create index testimonials_by_position on testimonials (position, id);

create table news (
  id bigint generated always as identity primary key,
  title text not null,
  excerpt text not null,
  image text not null,
  published_on date not null
);
create index news_newest_first on news (published_on desc, id desc);

create table gallery_items (
  id bigint generated always as identity primary key,
  title text not null,
  description text not null,
  image text not null,
  image_date date not null,
  created_by text not null
);
create index gallery_items_newest_first on gallery_items (image_date desc, id desc);

-- What a donor can give to. Titles are what receipts and the wire say; `fund` is the ledger's word and never changes.
create table donation_categories (
  id bigint generated always as identity primary key,
  fund text not null unique check (fund ~ '^[a-z][a-z-]*$'),
  title text not null unique,
  position integer not null,
  has_subcategories boolean not null default false,
  quantity_is_editable boolean not null default false,
  amount_is_editable boolean not null default true,
  amount_cents bigint check (amount_cents > 0),
  asks_names boolean not null default false,
  receipt_kind text not null default 'gift' check (receipt_kind in ('gift', 'not_deductible')),
  admin_fee_applies boolean not null default true,
  retired_at timestamptz(3),
  check (amount_is_editable or has_subcategories or amount_cents is not null)
);

create table donation_subcategories (
  id bigint generated always as identity primary key,
  category_id bigint not null references donation_categories,
  title text not null,
  position integer not null,
  amount_cents bigint check (amount_cents > 0),
  retired_at timestamptz(3),
  unique (category_id, title)
);

create table donations (
  id uuid primary key,
  reference text not null unique,
  is_anonymous boolean not null default false,
  first_name text not null,
  last_name text not null,
  email text not null,
  postcode text,
  method text not null check (method in ('cc', 'pp')),
  subtotal_cents bigint not null check (subtotal_cents > 0),
  admin_fee_cents bigint not null check (admin_fee_cents >= 0),
  merchant_fee_cents bigint not null check (merchant_fee_cents >= 0),
  total_cents bigint not null,
  currency text not null default 'AUD' check (currency = 'AUD'),
  -- A paid donation whose receipt cannot be issued yet, because the organisation's details are incomplete.
  awaits_receipt boolean not null default false,
  created_at timestamptz(3) not null default now(),
  check (total_cents = subtotal_cents + admin_fee_cents + merchant_fee_cents)
);
create index donations_awaiting_receipt on donations (created_at) where awaits_receipt;

create table donation_lines (
  donation_id uuid not null references donations,
  position integer not null check (position >= 0),
  category_id bigint not null references donation_categories,
  subcategory_id bigint references donation_subcategories,
  -- As they were on the day, whatever the catalogue says later.
  fund text not null,
  category_title text not null,
  subcategory_title text not null default '',
  receipt_kind text not null check (receipt_kind in ('gift', 'not_deductible')),
  quantity integer not null check (quantity between 1 and 999),
  unit_cents bigint not null check (unit_cents > 0),
  line_cents bigint not null,
  admin_share_cents bigint not null check (admin_share_cents >= 0),
  merchant_share_cents bigint not null check (merchant_share_cents >= 0),
  on_behalf_of text[] not null default '{}',
  primary key (donation_id, position),
  check (line_cents = quantity * unit_cents)
);

create function check_donation_sums() returns trigger language plpgsql as $$
declare
  subject uuid;
  is_whole boolean;
begin
  if tg_table_name = 'donations' then subject := new.id; else subject := new.donation_id; end if;
  select sum(l.line_cents) = d.subtotal_cents
     and sum(l.admin_share_cents) = d.admin_fee_cents
     and sum(l.merchant_share_cents) = d.merchant_fee_cents
    into is_whole
    from donations d join donation_lines l on l.donation_id = d.id
   where d.id = subject group by d.id;
  if is_whole is not true then
    raise exception 'the lines of donation % do not sum to its figures', subject using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger donation_sums after insert or update on donations
  deferrable initially deferred for each row execute function check_donation_sums();
create constraint trigger donation_line_sums after update on donation_lines
  deferrable initially deferred for each row execute function check_donation_sums();

-- One try at moving money. States and their moves: src/shared/payments/states.ts.
create table payment_attempts (
  id uuid primary key,
  -- Deferred, so that a copy of a submission is noticed before anything else of it is written.
  donation_id uuid not null references donations deferrable initially deferred,
  provider text not null check (provider in ('payway', 'braintree')),
  order_reference text not null unique check (order_reference ~ '^[0-9A-Z-]{1,20}$'),
  idempotency_key uuid not null unique,
  client_key text not null unique,
  request_hash bytea not null,
  -- The same card token or nonce never pays twice.
  instrument_hash bytea not null unique,
  -- The token itself, only while it may have to be sent once more; emptied when settled or ten minutes old.
  instrument text,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency = 'AUD'),
  state text not null check (state in ('created', 'requires_action', 'submitting', 'unknown', 'processing', 'succeeded',
    'failed', 'cancelled', 'not_found', 'succeeded_late', 'partially_refunded', 'refunded', 'disputed')),
  state_version integer not null default 1,
  provider_transaction_id text,
  provider_status text,
  response_code text,
  sends integer not null default 1,
  lease_until timestamptz(3),
  sent_at timestamptz(3) not null,
  next_check_at timestamptz(3),
  checks integer not null default 0,
  was_uncertain boolean not null default false,
  settled_at timestamptz(3),
  customer_address text not null,
  raw jsonb,
  created_at timestamptz(3) not null,
  unique (provider, provider_transaction_id)
);
create unique index payment_attempts_one_live on payment_attempts (donation_id)
  where state in ('created', 'requires_action', 'submitting', 'unknown', 'processing', 'succeeded', 'succeeded_late',
    'partially_refunded', 'refunded', 'disputed');
create index payment_attempts_of_donation on payment_attempts (donation_id);
create index payment_attempts_leased on payment_attempts (lease_until) where state = 'submitting';
create index payment_attempts_to_check on payment_attempts (next_check_at) where next_check_at is not null;
create index payment_attempts_recently_settled on payment_attempts (settled_at) where settled_at is not null;
create index payment_attempts_with_instrument on payment_attempts (sent_at) where instrument is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create table payment_events (
  id bigint generated always as identity primary key,
  attempt_id uuid not null references payment_attempts,
  from_state text,
  to_state text not null,
  event text not null,
  actor text not null check (actor in ('request', 'sweeper', 'reconciler')),
  detail jsonb,
  at timestamptz(3) not null
);
create index payment_events_of_attempt on payment_events (attempt_id, id);
create trigger payment_events_append_only before update or delete on payment_events
  for each row execute function refuse_change();
create trigger payment_events_no_truncate before truncate on payment_events
  for each statement execute function refuse_change();

-- Double entry: debits are positive, credits negative, each transaction sums to zero.
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

create function check_ledger_balance() returns trigger language plpgsql as $$
begin
  if (select sum(amount_cents) from ledger_entries where transaction_id = new.transaction_id) <> 0 then
    raise exception 'ledger transaction % does not sum to zero', new.transaction_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function check_ledger_balance();

-- A solved captcha buys one payment attempt; rows older than the captcha's own life may go.
create table captcha_uses (
  nonce text primary key,
  used_at timestamptz(3) not null
);
create index captcha_uses_by_age on captcha_uses (used_at);

-- Gapless: the counter row is locked by the transaction that takes a number, as its last statement.
create table receipt_counter (
  is_only boolean primary key default true check (is_only),
  last_number bigint not null default 0
);
insert into receipt_counter default values;

create table receipts (
  number bigint primary key,
  donation_id uuid not null unique references donations,
  data jsonb not null,
  issued_at timestamptz(3) not null
);

-- The table of rate-limiter-flexible, made here so that no process makes it at start.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_by_expiry on rate_limits (expire);

-- Where letters go without an SMTP server, for the operator to read.
create table mailbox_messages (
  id bigint generated always as identity primary key,
  message_id text not null unique,
  sent_at timestamptz(3) not null,
  recipient text not null,
  sender text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  attachments jsonb not null default '[]',
  source bytea not null
);

do $$
declare
  content_table text;
begin
  foreach content_table in array array['site_settings', 'pages', 'causes', 'testimonials', 'news', 'gallery_items',
    'donation_categories', 'donation_subcategories'] loop
    execute format('create trigger %I after insert or update or delete on %I
      for each statement execute function bump_content_version()', content_table || '_changed', content_table);
  end loop;
end $$;

-- Beside the triggers: the application's own role may not even ask.
revoke update, delete, truncate on ledger_entries, payment_events from current_user;
