-- The sums of the list of donations, by the day in Sydney on which they were given. With them a long time is added up
-- without reading each donation (donation-days.ts).
create table donation_days (
  day date not null,
  -- Empty for all funds together, because a donation may be for several.
  fund text not null,
  method text not null check (method in ('cc', 'pp')),
  -- The state of the payment that counts; empty if none was sent.
  state text not null,
  donations integer not null,
  given_cents bigint not null,
  fee_cents bigint not null,
  admin_fee_cents bigint not null,
  refunded_cents bigint not null,
  primary key (fund, day, method, state)
);
-- One row: the last payment event and ledger entry that the sums include. Null until everything was counted once.
create table donation_days_progress (
  is_singleton boolean primary key default true check (is_singleton),
  event_id bigint,
  entry_id bigint,
  checked_at timestamptz(3)
);
insert into donation_days_progress default values;
