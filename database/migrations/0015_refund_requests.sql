-- Refunds that staff make in the back office: who asked, who decided, and what came of it. `refunds` says what the
-- provider did; a request that waits has no refund yet.

create table refund_requests (
  -- Made by the server when the form is shown, so that a form that is sent twice is one request.
  id uuid primary key,
  donation_id uuid not null references donations,
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null,
  requested_by bigint not null references staff,
  requested_at timestamptz(3) not null,
  -- What could still be refunded then.
  left_cents bigint not null,
  -- How much one person could refund in a day then: REFUND_TWO_PEOPLE_CENTS.
  limit_cents bigint not null check (limit_cents >= 0),
  -- Null while it waits. `alone`: made at once by one person, within the limit.
  decision text check (decision in ('alone', 'approved', 'declined', 'withdrawn')),
  decided_by bigint references staff,
  decided_at timestamptz(3),
  decision_reason text not null default '',
  refund_id uuid unique references refunds,
  check (amount_cents <= left_cents),
  check ((decision is null) = (decided_by is null) and (decision is null) = (decided_at is null)),
  check ((refund_id is not null) = (decision is not null and decision in ('alone', 'approved'))),
  check (decision is not null or decision_reason = ''),
  constraint refund_requests_two_people
    check (decision is null or decision not in ('approved', 'declined') or decided_by <> requested_by),
  constraint refund_requests_one_person
    check (decision is null or decision not in ('alone', 'withdrawn') or decided_by = requested_by),
  constraint refund_requests_within_limit
    check (decision is distinct from 'alone' or amount_cents <= limit_cents)
);
create unique index refund_requests_one_open on refund_requests (donation_id) where decision is null;
create index refund_requests_of_donation on refund_requests (donation_id);
create index refund_requests_of_person on refund_requests (requested_by, requested_at);
create index refund_requests_refused on refund_requests (requested_at, id) where decision in ('declined', 'withdrawn');

-- Only the decision is written later, once; texts may be erased.
create function check_refund_request() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (
    (new.id, new.donation_id, new.amount_cents, new.requested_by, new.requested_at, new.left_cents, new.limit_cents)
      is distinct from
    (old.id, old.donation_id, old.amount_cents, old.requested_by, old.requested_at, old.left_cents, old.limit_cents)
    or (new.reason <> old.reason and new.reason <> '')
    or (old.decision is not null and (
      (new.decision, new.decided_by, new.decided_at, new.refund_id)
        is distinct from (old.decision, old.decided_by, old.decided_at, old.refund_id)
      or (new.decision_reason <> old.decision_reason and new.decision_reason <> '')))
  ) then
    raise exception 'a request for a refund is append only but for its decision' using errcode = 'insufficient_privilege';
  end if;
  if new.refund_id is not null and not exists (
    select from refunds join payment_attempts attempt on attempt.id = refunds.attempt_id
     where refunds.id = new.refund_id and attempt.donation_id = new.donation_id
       and refunds.amount_cents = new.amount_cents
  ) then
    raise exception 'refund % is not what request % asks for', new.refund_id, new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refund_requests_append_only before insert or update on refund_requests
  for each row execute function check_refund_request();
create trigger refund_requests_no_delete before delete on refund_requests
  for each row execute function refuse_change();
create trigger refund_requests_no_truncate before truncate on refund_requests
  for each statement execute function refuse_change();
revoke delete, truncate on refund_requests from current_user;

-- Failed refunds that a person has dealt with, by a bank transfer say. The ledger knows nothing of them.
create table refunds_by_hand (
  refund_id uuid primary key references refunds,
  done_by bigint not null references staff,
  done_at timestamptz(3) not null,
  note text not null
);
