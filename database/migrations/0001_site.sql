-- What any site needs: settings, the version of its content, pictures and files, the mailbox, protection against abuse.
-- Times are timestamptz(3): a JavaScript Date holds milliseconds, and a finer clock would skip rows in keyset paging.
-- Money is in cents everywhere.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;

-- One row. Every change to what pages show raises the version and tells every process to drop its cached pages.
create table content_version (
  is_singleton boolean primary key default true check (is_singleton),
  version bigint not null default 1
);
insert into content_version default values;

create function bump_content_version() returns trigger language plpgsql as $$
begin
  update content_version set version = version + 1;
  perform pg_notify('content_changed', '');
  return null;
end $$;

create table site_settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz(3) not null default now()
);
create trigger site_settings_changed after insert or update or delete on site_settings
  for each statement execute function bump_content_version();

-- A picture that staff added. Content refers to it as '/images/<hash>', the hash of the uploaded bytes. Only re-encoded
-- copies are kept, so no location, camera data or hidden file comes along.
create table images (
  hash text primary key check (hash ~ '^[0-9a-f]{32}$'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- The average colour, shown until the picture has loaded.
  color text not null check (color ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz(3) not null default now()
);

create table image_variants (
  hash text not null references images on delete cascade,
  width integer not null,
  format text not null check (format in ('webp', 'jpeg')),
  bytes bytea not null,
  primary key (hash, width, format)
);
-- Pictures are compressed already.
alter table image_variants alter column bytes set storage external;

-- Pictures without an address of their own. Whatever refers to one decides who may see it, and deletes it.
create table private_files (
  id uuid primary key,
  media_type text not null check (media_type in ('image/jpeg', 'image/png', 'image/webp')),
  width integer not null,
  height integer not null,
  bytes bytea not null,
  created_at timestamptz(3) not null
);
alter table private_files alter column bytes set storage external;

-- Emails that a site without an SMTP server sent, for developers to read.
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
create index mailbox_messages_by_age on mailbox_messages (sent_at);

-- A solved captcha is accepted once. Rows older than a captcha's lifetime are deleted.
create table captcha_uses (
  nonce text primary key,
  used_at timestamptz(3) not null
);
create index captcha_uses_by_age on captcha_uses (used_at);

-- The table of rate-limiter-flexible, created here so that no process creates it at start.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_by_expiry on rate_limits (expire);

-- Signed links to the document at `path` that were made until `revoked_at` no longer open it.
create table link_revocations (
  id bigint generated always as identity primary key,
  -- As it is signed: '/receipts/…', '/ticket-orders/…', '/volunteer/application/…'.
  path text not null,
  revoked_at timestamptz(3) not null,
  -- `staff` for the command line, otherwise a member of staff by name.
  revoked_by text not null
);
create index link_revocations_of_path on link_revocations (path, revoked_at);
create trigger link_revocations_append_only before update or delete on link_revocations
  for each row execute function refuse_change();
