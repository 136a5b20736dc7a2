-- What donors can give to, their donations, and the receipts.

-- `title` is what receipts and the API show; `fund` is the name in the ledger and never changes.
create table donation_categories (
  id bigint generated always as identity primary key,
  fund text not null unique check (fund ~ '^[a-z][a-z-]*$'),
  title text not null unique,
  position integer not null,
  has_subcategories boolean not null default false,
  quantity_is_editable boolean not null default false,
  amount_is_editable boolean not null default true,
  amount_cents bigint check (amount_cents > 0),
  -- Whether a line names the people it is given on behalf of.
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

create trigger donation_categories_changed after insert or update or delete on donation_categories
  for each statement execute function bump_content_version();
create trigger donation_subcategories_changed after insert or update or delete on donation_subcategories
  for each statement execute function bump_content_version();

-- What a new site offers until staff change it: one category for every way in which a line can be entered (free amount,
-- fixed amount, editable quantity, subcategories with fixed or free amounts, names).
insert into donation_categories
  (fund, title, position, has_subcategories, quantity_is_editable, amount_is_editable, amount_cents, asks_names,
   receipt_kind)
values
  ('where-needed-most', 'Where Needed Most', 1, false, false, true, null, false, 'gift'),
  ('zakat', 'Zakat', 2, false, false, true, null, false, 'gift'),
  ('sadaqah', 'Sadaqah', 3, false, false, true, null, false, 'gift'),
  ('fitrana', 'Fitrana', 4, false, true, false, 1500, false, 'gift'),
  ('qurban', 'Qurban', 5, true, true, false, null, true, 'not_deductible'),
  ('ambulance', 'Ambulance', 6, false, false, true, null, false, 'gift'),
  ('education', 'Education', 7, true, true, false, null, false, 'gift'),
  ('dastarkhwan', 'Dastarkhwan', 8, false, true, true, 500, false, 'gift'),
  ('patient-care', 'Patient Care', 9, false, false, true, null, false, 'gift'),
  ('homes', 'Homes and Orphanage', 10, false, false, false, 10000, false, 'gift'),
  ('flood-relief', 'Flood Relief', 11, true, false, true, null, false, 'gift');

insert into donation_subcategories (category_id, title, position, amount_cents)
select category.id, offered.title, offered.position, offered.amount_cents
  from (values
    ('qurban', 'Goat', 1, 19000),
    ('qurban', 'Cow share', 2, 14500),
    ('qurban', 'Cow', 3, 101500),
    ('education', 'School kit', 1, 3500),
    ('education', 'One term at school', 2, 12000),
    ('education', 'One year at school', 3, 42000),
    ('flood-relief', 'Dry food for a family', 1, null),
    ('flood-relief', 'Tent and bedding', 2, null),
    ('flood-relief', 'Clean water', 3, null)
  ) as offered (fund, title, position, amount_cents)
  join donation_categories category on category.fund = offered.fund;

-- How far a donation is paid is in the state of its payments (payment_attempts).
create table donations (
  id uuid primary key,
  reference text not null unique,
  is_anonymous boolean not null default false,
  first_name text not null,
  last_name text not null,
  -- Empty once it has been erased.
  email text not null,
  postcode text,
  method text not null check (method in ('cc', 'pp')),
  subtotal_cents bigint not null check (subtotal_cents > 0),
  admin_fee_cents bigint not null check (admin_fee_cents >= 0),
  merchant_fee_cents bigint not null check (merchant_fee_cents >= 0),
  total_cents bigint not null,
  currency text not null default 'AUD' check (currency = 'AUD'),
  -- Paid, but the receipt cannot be issued yet because the organisation's details are incomplete.
  awaits_receipt boolean not null default false,
  -- Keyed digest of who gives what: the same again within ten minutes is asked about (just-given.ts).
  repeat_digest bytea,
  -- A closed account leaves its donations on the books, without it.
  user_id bigint references users on delete set null,
  -- Since when that account is closed: what is personal is then kept only as long as the law requires.
  account_closed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check (total_cents = subtotal_cents + admin_fee_cents + merchant_fee_cents)
);
create index donations_awaiting_receipt on donations (created_at) where awaits_receipt;
create index donations_by_repeat_digest on donations (repeat_digest, created_at) where repeat_digest is not null;
create index donations_of_user on donations (user_id, created_at desc, id desc) where user_id is not null;
-- Donations of guests, which join the account of whoever shows that the address is theirs.
create index donations_of_guest on donations (lower(email)) where user_id is null;
-- What the erasure of personal data looks for, oldest first.
create index donations_of_closed_accounts on donations (account_closed_at)
  where account_closed_at is not null and email <> '';
create index donations_with_donor on donations (created_at) where email <> '';
create index donations_with_digest on donations (created_at) where repeat_digest is not null;

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
  -- The line's shares of the donation's two fees.
  admin_share_cents bigint not null check (admin_share_cents >= 0),
  merchant_share_cents bigint not null check (merchant_share_cents >= 0),
  on_behalf_of text[] not null default '{}',
  primary key (donation_id, position),
  check (line_cents = quantity * unit_cents)
);
create index donation_lines_with_names on donation_lines (donation_id) where on_behalf_of <> '{}';

-- At the end of a transaction, a donation's lines and their shares of the fees sum to its figures.
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

-- One row. Receipt numbers have no gaps: a transaction that issues a receipt locks the row in its last statement.
create table receipt_counter (
  is_singleton boolean primary key default true check (is_singleton),
  last_number bigint not null default 0
);
insert into receipt_counter default values;

-- A refund voids the receipt. Where a part is kept, a new receipt replaces it; the latest is the one that counts.
create table receipts (
  number bigint primary key,
  donation_id uuid not null references donations,
  -- What the receipt says, as it was issued.
  data jsonb not null,
  issued_at timestamptz(3) not null,
  is_latest boolean not null default true,
  voided_at timestamptz(3),
  replaces bigint references receipts,
  -- The names are erased after seven years; number, amounts and dates stay.
  erased_at timestamptz(3)
);
create index receipts_of_donation on receipts (donation_id);
create unique index receipts_one_latest on receipts (donation_id) where is_latest;
create unique index receipts_one_successor on receipts (replaces) where replaces is not null;
create index receipts_with_names on receipts (issued_at) where erased_at is null;
