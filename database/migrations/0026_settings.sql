-- Settings that staff change in the back office: every version of each. `site_settings` has the values that hold.

create table setting_versions (
  key text not null,
  number integer not null check (number > 0),
  value jsonb not null,
  saved_at timestamptz(3) not null,
  -- Null for what was found in `site_settings`, where only SQL can have written it.
  saved_by bigint references staff,
  primary key (key, number)
);
create trigger setting_versions_append_only before update or delete on setting_versions
  for each row execute function refuse_change();
create trigger setting_versions_no_truncate before truncate on setting_versions
  for each statement execute function refuse_change();

-- What donors can give to. `amount_cents` there is the price before the first one with a day.
alter table donation_categories
  add column description text not null default '',
  -- Offered above a free amount; empty for none.
  add column suggested_cents integer[] not null default '{2500,5000,10000,25000}';

-- The ledger and the books know a fund by its key.
create trigger donation_categories_keep_fund before update of fund on donation_categories
  for each row when (old.fund is distinct from new.fund) execute function refuse_change();
create trigger donation_categories_stay before delete on donation_categories
  for each row execute function refuse_change();

-- The price of one unit from a day in Sydney on. The latest day that has come holds; of one day the later row.
create table donation_prices (
  id bigint generated always as identity primary key,
  category_id bigint not null references donation_categories,
  -- Null for a category without kinds.
  subcategory_id bigint references donation_subcategories,
  holds_from date not null,
  amount_cents bigint not null check (amount_cents > 0),
  set_at timestamptz(3) not null,
  set_by bigint not null references staff,
  -- Taken back before its day came.
  withdrawn_at timestamptz(3),
  withdrawn_by bigint references staff,
  check ((withdrawn_at is null) = (withdrawn_by is null))
);
create index donation_prices_by_day on donation_prices (category_id, subcategory_id, holds_from desc, id desc);
create trigger donation_prices_changed after insert or update or delete on donation_prices
  for each statement execute function bump_content_version();
create trigger donation_prices_append_only before delete on donation_prices
  for each row execute function refuse_change();
create trigger donation_prices_stay before update on donation_prices
  for each row when (old.withdrawn_at is not null
    or (old.category_id, old.subcategory_id, old.holds_from, old.amount_cents, old.set_at, old.set_by)
      is distinct from (new.category_id, new.subcategory_id, new.holds_from, new.amount_cents, new.set_at, new.set_by))
  execute function refuse_change();
