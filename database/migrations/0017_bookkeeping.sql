-- What the treasurer needs: reasons for closed differences, totals by day for reports, and the journal for accounts.

-- A difference that a person has closed stays closed while later comparisons find the same amounts again.
alter table reconciliation_findings
  add column closed_at timestamptz(3),
  add column closed_by bigint references staff,
  add column closed_reason text not null default '',
  add check ((closed_at is null) = (closed_reason = '')),
  add check (closed_at is null or resolved_at is not null);
create index reconciliation_findings_of_day on reconciliation_findings (day);

-- Payments without a definite answer, and disputed ones.
create index payment_attempts_to_review on payment_attempts (sent_at)
  where state in ('submitting', 'unknown', 'processing', 'disputed');
create index refunds_open on refunds (created_at) where state in ('requested', 'submitting', 'unknown');
-- A day's payments, and the refunds made on a day.
create index payment_attempts_by_creation on payment_attempts (created_at);
create index ledger_entries_of_refunds_by_time on ledger_entries (at) where refund_id is not null;

-- The ledger's totals by day in Sydney, recounted for days with new entries (book-days.ts). A payment counts on the day
-- it was recorded, as in reconciliation; a refund on the day it was made.
create table book_days (
  day date not null,
  subject text not null check (subject in ('donation', 'tickets')),
  provider text not null check (provider in ('payway', 'braintree')),
  account text not null,
  is_refund boolean not null,
  -- Payments, or refunds, that moved this account.
  movements integer not null,
  amount_cents bigint not null,
  primary key (day, account, provider, subject, is_refund)
);
-- One row: how far the ledger is counted, and when the totals were last compared with all of it.
create table book_days_progress (
  is_singleton boolean primary key default true check (is_singleton),
  counted_id bigint not null default 0,
  checked_at timestamptz(3)
);
insert into book_days_progress default values;

-- A donor's earlier gifts.
create index donations_of_donor on donations (lower(email), created_at) where email <> '';
-- Figures about the donors of a period, which take too long to count for every report.
create table donor_counts (
  first_day date not null,
  last_day date not null,
  donors integer not null,
  new_donors integer not null,
  -- Gave in the period before, but not in this one.
  lapsed_donors integer not null,
  median_cents bigint not null,
  counted_at timestamptz(3) not null,
  primary key (first_day, last_day)
);

-- The accounting journal: each day goes out once, and what changes later goes out as a correction.
create table journal_batches (
  id bigint generated always as identity primary key,
  first_day date not null,
  last_day date not null,
  made_by bigint references staff,
  made_at timestamptz(3) not null
);
create table journal_days (
  id bigint generated always as identity primary key,
  batch_id bigint not null references journal_batches,
  day date not null,
  -- 1 is the day itself, what follows corrects it.
  part integer not null check (part > 0),
  unique (day, part)
);
create index journal_days_of_batch on journal_days (batch_id, day);
create table journal_lines (
  journal_day_id bigint not null references journal_days,
  account text not null,
  -- Debits are positive, credits negative.
  amount_cents bigint not null check (amount_cents <> 0),
  primary key (journal_day_id, account)
);
create trigger journal_days_append_only before update or delete on journal_days
  for each row execute function refuse_change();
create trigger journal_lines_append_only before update or delete on journal_lines
  for each row execute function refuse_change();

-- Each day's journal sums to zero.
create function check_journal_balance() returns trigger language plpgsql as $$
begin
  if (select sum(amount_cents) from journal_lines where journal_day_id = new.journal_day_id) <> 0 then
    raise exception 'journal % does not sum to zero', new.journal_day_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger journal_balance after insert on journal_lines
  deferrable initially deferred for each row execute function check_journal_balance();
