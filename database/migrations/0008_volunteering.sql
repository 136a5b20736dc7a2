-- Private files, and applications to volunteer with their way to a decision.

-- Files that only those may see who the thing they belong to lets see them; gone for good with it.
create table private_files (
  id uuid primary key,
  media_type text not null check (media_type in ('image/jpeg', 'image/png', 'image/webp')),
  width integer not null,
  height integer not null,
  bytes bytea not null,
  created_at timestamptz(3) not null
);
-- Pictures do not get smaller by a second compression.
alter table private_files alter column bytes set storage external;

-- What volunteers do; the titles are the choices of the form. Where a role meets children or others who need protection,
-- a Working With Children Check comes before it.
create table volunteer_roles (
  title text primary key,
  position integer not null,
  needs_check boolean not null
);
insert into volunteer_roles (title, position, needs_check) values
  ('Administration', 1, false),
  ('Events', 2, true),
  ('Field Work', 3, true),
  ('Fundraising', 4, false),
  ('Newsletter Production', 5, false),
  ('Volunteer Coordination', 6, true);

create table volunteer_applications (
  id uuid primary key,
  -- The browser's own name for this one sending: a copy is answered like the first.
  client_key uuid not null unique,
  reference text not null unique,
  name text not null,
  street text not null,
  city text not null default '',
  state text not null,
  country text not null,
  postcode text not null,
  mobile text not null,
  email text not null,
  preferred_contact text not null check (preferred_contact in ('Email', 'SMS')),
  skills text not null default '',
  experience text not null default '',
  availability text not null check (availability in ('Availability', 'Weekend')),
  interests text[] not null check (cardinality(interests) > 0),
  -- Somebody else's details: shown only when they are needed, and each look is written down.
  emergency_name text not null,
  emergency_postcode text not null,
  emergency_city text not null,
  emergency_state text not null,
  emergency_country text not null,
  emergency_mobile text not null,
  emergency_email text not null,
  emergency_preferred_contact text not null check (emergency_preferred_contact in ('Email', 'SMS')),
  photo_file_id uuid references private_files,
  signature_file_id uuid references private_files,
  stage text not null default 'received'
    check (stage in ('received', 'in_review', 'approved', 'waiting', 'declined', 'withdrawn')),
  stage_version integer not null default 1,
  -- What the person was taken on for; only while approved.
  roles text[] not null default '{}',
  decided_at timestamptz(3),
  files_deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((stage = 'approved') = (cardinality(roles) > 0))
);
create index volunteer_applications_newest_first on volunteer_applications (created_at desc, id desc);
create index volunteer_applications_by_stage on volunteer_applications (stage, created_at desc, id desc);
create index volunteer_applications_with_old_files on volunteer_applications (decided_at)
  where stage in ('declined', 'withdrawn') and files_deleted_at is null;

-- What happened, by whom: `applicant`, `system`, or a member of staff by name. Notes are events too.
create table volunteer_events (
  id bigint generated always as identity primary key,
  application_id uuid not null references volunteer_applications,
  event text not null check (event in ('received', 'review_began', 'approved', 'put_on_waiting_list', 'declined', 'withdrawn',
    'reopened', 'note', 'details_changed', 'check_recorded', 'check_verified', 'check_reminder', 'emergency_contact_seen',
    'photo_seen', 'exported', 'files_deleted')),
  actor text not null,
  detail jsonb,
  at timestamptz(3) not null
);
create index volunteer_events_of_application on volunteer_events (application_id, id);
create trigger volunteer_events_append_only before update or delete on volunteer_events
  for each row execute function refuse_change();
create trigger volunteer_events_no_truncate before truncate on volunteer_events
  for each statement execute function refuse_change();
revoke update, delete, truncate on volunteer_events from current_user;

-- One valid check at a time; a new one replaces the old. State is where it was issued.
create table working_with_children_checks (
  id uuid primary key,
  application_id uuid not null references volunteer_applications,
  state text not null check (state in ('ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA')),
  number text not null,
  kind text not null check (kind in ('volunteer', 'paid')),
  expires_on date not null,
  verified_by text,
  verified_at timestamptz(3),
  -- Once three months before it ends, once when it has ended.
  reminded_at timestamptz(3),
  lapse_told_at timestamptz(3),
  replaced_at timestamptz(3),
  created_at timestamptz(3) not null,
  check ((verified_by is null) = (verified_at is null))
);
create unique index working_with_children_checks_one on working_with_children_checks (application_id) where replaced_at is null;
create index working_with_children_checks_expiring on working_with_children_checks (expires_on)
  where replaced_at is null and lapse_told_at is null;
