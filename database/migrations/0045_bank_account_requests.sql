-- New bank accounts wait for another administrator, if there is one.
create table bank_account_requests (
  id bigint generated always as identity primary key,
  -- The accounts as they are to be, and the version of the organisation's details that whoever asked has seen.
  banks jsonb not null check (jsonb_typeof(banks) = 'array'),
  seen_version integer not null,
  requested_by bigint not null references staff,
  requested_at timestamptz(3) not null,
  -- Null while it waits.
  decision text check (decision in ('approved', 'declined', 'withdrawn')),
  decided_by bigint references staff,
  decided_at timestamptz(3),
  decision_reason text not null default '',
  check ((decision is null) = (decided_at is null)),
  check ((decision is null) = (decided_by is null)),
  check ((decision is not distinct from 'declined') = (decision_reason <> '')),
  constraint bank_account_requests_two_people check (
    decision is null or (decision = 'withdrawn') = (decided_by = requested_by))
);
create unique index bank_account_requests_one_open on bank_account_requests ((true)) where decision is null;

-- Only the decision is written later, once.
create function check_bank_account_request() returns trigger language plpgsql as $$
begin
  if old.decision is not null or
    (new.id, new.banks, new.seen_version, new.requested_by, new.requested_at) is distinct from
    (old.id, old.banks, old.seen_version, old.requested_by, old.requested_at)
  then
    raise exception 'a request for bank accounts is append only but for its decision'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger bank_account_requests_append_only before update on bank_account_requests
  for each row execute function check_bank_account_request();
create trigger bank_account_requests_no_delete before delete on bank_account_requests
  for each row execute function refuse_change();
create trigger bank_account_requests_no_truncate before truncate on bank_account_requests
  for each statement execute function refuse_change();
revoke delete, truncate on bank_account_requests from current_user;
