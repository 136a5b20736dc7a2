-- Backups that this site has taken, and restores from one.

create table backups (
  id bigint generated always as identity primary key,
  -- The day in Sydney: one backup a night, whichever process takes it.
  day date not null unique,
  started_at timestamptz(3) not null,
  -- Null while it runs, or if it was interrupted.
  file text,
  bytes bigint,
  taken_at timestamptz(3),
  -- When it was restored into a temporary folder and read whole.
  proved_at timestamptz(3),
  -- Why it was not taken or proved.
  fault text,
  check ((file is null) = (taken_at is null) and (file is null) = (bytes is null))
);

-- While the latest restore has not been opened, the site is paused: it shows its pages, and changes nothing.
create table restores (
  id bigint generated always as identity primary key,
  backup_taken_at timestamptz(3) not null,
  restored_at timestamptz(3) not null,
  opened_at timestamptz(3)
);
create unique index restores_one_paused on restores ((true)) where opened_at is null;

-- Numbers of receipts that were sent before a restore and are unknown to the restored site: they are never given again.
create table receipt_gaps (
  first_number bigint primary key,
  last_number bigint not null check (last_number >= first_number),
  restore_id bigint not null references restores,
  created_at timestamptz(3) not null
);
create trigger receipt_gaps_append_only before update or delete on receipt_gaps
  for each row execute function refuse_change();
