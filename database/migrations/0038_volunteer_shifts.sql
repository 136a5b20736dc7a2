-- Shifts: what volunteers are wanted for and when, who comes, and how long they stayed.
create table volunteer_shifts (
  id uuid primary key,
  title text not null check (title <> ''),
  -- The event that it is for, if any.
  event_id bigint references events on delete set null,
  place text not null default '',
  -- What volunteers should know.
  notes text not null default '',
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  -- The last day in Sydney: a check must be valid until then.
  last_day date not null,
  version integer not null default 1,
  cancelled_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- A day and, when daylight saving ends, an hour.
  check (ends_at > starts_at and ends_at <= starts_at + interval '25 hours')
);
create index volunteer_shifts_by_start on volunteer_shifts (starts_at, id);

-- A role that is not wanted any more has 0, because people may have had it.
create table volunteer_shift_roles (
  shift_id uuid not null references volunteer_shifts on delete cascade,
  role text not null references volunteer_roles,
  wanted integer not null check (wanted between 0 and 500),
  primary key (shift_id, role)
);

create table volunteer_shift_places (
  id uuid primary key,
  shift_id uuid not null,
  role text not null,
  application_id uuid not null references volunteer_applications on delete cascade,
  taken_at timestamptz(3) not null,
  -- `withdrew`: by the volunteer or for them. `unfit`: role or check no longer permits it. `cancelled`: the shift is.
  left_at timestamptz(3),
  left_because text check (left_because in ('withdrew', 'unfit', 'cancelled')),
  -- When the email about it was queued; nobody is told what they did themselves.
  told_at timestamptz(3),
  -- How long they stayed, once it is recorded; 0 if they did not come.
  minutes integer check (minutes between 0 and 1440),
  foreign key (shift_id, role) references volunteer_shift_roles on delete cascade,
  check ((left_at is null) = (left_because is null)),
  check (left_at is null or minutes is null)
);
create unique index volunteer_shift_places_one on volunteer_shift_places (shift_id, application_id)
  where left_at is null;
create index volunteer_shift_places_of_application on volunteer_shift_places (application_id);
create index volunteer_shift_places_to_tell on volunteer_shift_places (left_at)
  where left_because in ('unfit', 'cancelled') and told_at is null;

-- The check that was verified last decides. It counts on its last day.
create function has_valid_check(applicant uuid, on_day date) returns boolean language sql stable
begin atomic
  select coalesce((
    select revoked_at is null and expires_on >= on_day from working_with_children_checks
     where application_id = applicant and verified_at is not null
     order by verified_at desc, id limit 1), false);
end;
create index working_with_children_checks_of_application on working_with_children_checks (application_id, verified_at);

-- Nobody takes a place that is not free, for a role that they do not have, or without the check that it needs.
-- The locks make simultaneous changes of the shift, the role, the check and other places wait, in this order.
create function guard_shift_place() returns trigger language plpgsql as $$
declare
  applicant record;
  shift record;
  is_guarded boolean;
  most integer;
begin
  if new.left_at is not null or new.minutes is not null then
    return new;
  end if;
  select stage, roles into applicant from volunteer_applications where id = new.application_id for no key update;
  select cancelled_at, last_day into shift from volunteer_shifts where id = new.shift_id for no key update;
  select needs_check into is_guarded from volunteer_roles where title = new.role for share;
  select wanted into most from volunteer_shift_roles where shift_id = new.shift_id and role = new.role;
  if shift.cancelled_at is not null then
    raise exception 'shift_cancelled' using errcode = 'check_violation', constraint = 'shift_cancelled';
  end if;
  if applicant.stage <> 'approved' or not new.role = any (applicant.roles) then
    raise exception 'role_not_held' using errcode = 'check_violation', constraint = 'role_not_held';
  end if;
  if is_guarded and not has_valid_check(new.application_id, shift.last_day) then
    raise exception 'check_not_valid' using errcode = 'check_violation', constraint = 'check_not_valid';
  end if;
  if exists (
    select from volunteer_shift_places
     where shift_id = new.shift_id and application_id = new.application_id and left_at is null and id <> new.id
  ) then
    return new; -- The unique index decides.
  end if;
  if most <= (
    select count(*) from volunteer_shift_places
     where shift_id = new.shift_id and role = new.role and left_at is null and id <> new.id
  ) then
    raise exception 'shift_full' using errcode = 'check_violation', constraint = 'shift_full';
  end if;
  return new;
end $$;
create trigger volunteer_shift_places_guard before insert or update of left_at, shift_id, role, application_id
  on volunteer_shift_places for each row execute function guard_shift_place();

-- Frees the places, in shifts that begin after `since`, of those who may no longer have them.
create function free_unfit_places(applicant uuid, changed_role text, changed_shift uuid, since timestamptz)
returns void language sql as $$
  update volunteer_shift_places place set left_at = since, left_because = 'unfit'
    from volunteer_shifts shift, volunteer_applications person, volunteer_roles kind
   where shift.id = place.shift_id and person.id = place.application_id and kind.title = place.role
     and place.left_at is null and place.minutes is null and shift.starts_at > since
     and (applicant is null or place.application_id = applicant)
     and (changed_role is null or place.role = changed_role)
     and (changed_shift is null or place.shift_id = changed_shift)
     and (person.stage <> 'approved' or not place.role = any (person.roles)
       or (kind.needs_check and not has_valid_check(person.id, shift.last_day)));
$$;

-- Two changes at the same time must not both read what was true before the other. So whoever frees places first locks
-- what the places rest on, in the order of `guard_shift_place`: the application, its shifts, their roles.
create function lock_places_of(applicant uuid) returns void language plpgsql as $$
begin
  perform from volunteer_applications where id = applicant for no key update;
  perform from volunteer_shifts where id in (
    select shift_id from volunteer_shift_places where application_id = applicant and left_at is null
  ) order by id for share;
  perform from volunteer_roles where title in (
    select role from volunteer_shift_places where application_id = applicant and left_at is null
  ) order by title for share;
end $$;

-- Whatever changes, and by whatever statement: a place without the role or the check that it needs is given up.
create function free_places_of_volunteer() returns trigger language plpgsql as $$
begin
  perform lock_places_of(new.id);
  perform free_unfit_places(new.id, null, null, new.updated_at);
  return null;
end $$;
create trigger volunteer_applications_free_places after update of stage, roles on volunteer_applications
  for each row execute function free_places_of_volunteer();

create function free_places_of_check() returns trigger language plpgsql as $$
begin
  perform lock_places_of(new.application_id);
  perform free_unfit_places(new.application_id, null, null, greatest(new.verified_at, new.revoked_at));
  return null;
end $$;
create trigger working_with_children_checks_free_places
  after insert or update of verified_at, revoked_at, expires_on on working_with_children_checks
  for each row when (new.verified_at is not null) execute function free_places_of_check();

alter table volunteer_roles add column changed_at timestamptz(3);
create function free_places_of_role() returns trigger language plpgsql as $$
begin
  perform free_unfit_places(null, new.title, null, coalesce(new.changed_at, now()));
  return null;
end $$;
create trigger volunteer_roles_free_places after update of needs_check on volunteer_roles
  for each row when (new.needs_check) execute function free_places_of_role();

create function free_places_of_shift() returns trigger language plpgsql as $$
begin
  perform from volunteer_roles where title in (
    select role from volunteer_shift_places where shift_id = new.id and left_at is null
  ) order by title for share;
  if new.cancelled_at is not null then
    update volunteer_shift_places set left_at = new.cancelled_at, left_because = 'cancelled'
     where shift_id = new.id and left_at is null and minutes is null;
  else
    -- Moved to another day; one that has begun keeps who came.
    perform free_unfit_places(null, null, new.id, least(old.starts_at, new.starts_at) - interval '1 millisecond');
  end if;
  return null;
end $$;
create trigger volunteer_shifts_free_places after update of last_day, cancelled_at on volunteer_shifts
  for each row execute function free_places_of_shift();
