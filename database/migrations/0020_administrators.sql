-- A new administrator waits for a second one, and a browser that staff never used may need a code by email.

-- Requests to make somebody an administrator. Nothing about the person changes before one is approved.
create table administrator_requests (
  id bigint generated always as identity primary key,
  -- Null for somebody who does not work here (any more): approved, they are invited.
  staff_id bigint references staff,
  email text not null,
  name text not null,
  -- All roles that the person is to have.
  roles text[] not null check ('administrator' = any (roles)),
  requested_by bigint not null references staff,
  requested_at timestamptz(3) not null,
  -- Null while it waits. `overtaken`: the person's account, or that of whoever asked, was changed meanwhile.
  decision text check (decision in ('approved', 'declined', 'withdrawn', 'overtaken')),
  -- Null also if a command on the server overtook it.
  decided_by bigint references staff,
  decided_at timestamptz(3),
  decision_reason text not null default '',
  check ((decision is null) = (decided_at is null)),
  check (decision is not null or decided_by is null),
  check ((decision is not distinct from 'declined') = (decision_reason <> '')),
  constraint administrator_requests_for_others check (staff_id is distinct from requested_by),
  constraint administrator_requests_two_people check (
    decision is null or decision not in ('approved', 'declined')
    or (decided_by is not null and decided_by <> requested_by and decided_by is distinct from staff_id)),
  constraint administrator_requests_own check (decision is distinct from 'withdrawn' or decided_by = requested_by)
);
create unique index administrator_requests_one_open on administrator_requests (lower(email)) where decision is null;
create index administrator_requests_of_staff on administrator_requests (staff_id, id);

-- Only the decision is written later, once.
create function check_administrator_request() returns trigger language plpgsql as $$
begin
  if old.decision is not null or
    (new.id, new.staff_id, new.email, new.name, new.roles, new.requested_by, new.requested_at) is distinct from
    (old.id, old.staff_id, old.email, old.name, old.roles, old.requested_by, old.requested_at)
  then
    raise exception 'a request for an administrator is append only but for its decision'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger administrator_requests_append_only before update on administrator_requests
  for each row execute function check_administrator_request();
create trigger administrator_requests_no_delete before delete on administrator_requests
  for each row execute function refuse_change();
create trigger administrator_requests_no_truncate before truncate on administrator_requests
  for each statement execute function refuse_change();
revoke delete, truncate on administrator_requests from current_user;

-- A log-in by password that was right and still needs the code that was emailed.
create table staff_log_in_codes (
  -- Also the email's, from which its code is derived.
  id uuid primary key,
  -- SHA-256 of what the browser keeps in a cookie.
  token_hash bytea not null unique,
  staff_id bigint not null references staff,
  code_hmac bytea not null,
  -- What was right so far: 'password and code', 'recovery code'.
  way text not null,
  tries integer not null default 0,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index staff_log_in_codes_of_staff on staff_log_in_codes (staff_id);
create index staff_log_in_codes_by_expiry on staff_log_in_codes (expires_at);
