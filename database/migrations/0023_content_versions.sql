-- What staff write in the back office: every version of every page, news item and so on. The tables that the site reads
-- stay as they are; publishing copies a version into them.

create table content_items (
  id bigint generated always as identity primary key,
  -- 'news', 'pages' and so on: src/features/content/server/editing/kinds.ts.
  kind text not null,
  -- The key of its row in the table that the site reads; null until it is first published.
  live_key text,
  latest_version integer not null,
  -- The version that visitors see; null if they see none.
  published_version integer,
  -- `updated_at` of its row when that was last read or written here: a row with another was changed by SQL.
  live_updated_at timestamptz(3),
  -- The version that goes out at a time, and who chose so.
  scheduled_version integer,
  scheduled_at timestamptz(3),
  scheduled_by bigint references staff,
  -- Made with the form of a new item, so that a form that is sent twice makes one.
  form_key uuid unique,
  unique (kind, live_key),
  check ((scheduled_version is null) = (scheduled_at is null) and (scheduled_at is null) = (scheduled_by is null)),
  check (published_version is null or live_key is not null)
);
create index content_items_scheduled on content_items (scheduled_at) where scheduled_at is not null;

create table content_versions (
  item_id bigint not null references content_items,
  number integer not null check (number > 0),
  -- The version that was open when this one was written; null for the first.
  began_from integer check (began_from < number),
  -- The columns of its row by their names.
  data jsonb not null check (jsonb_typeof(data) = 'object'),
  saved_at timestamptz(3) not null,
  -- Null for what was found in the table that the site reads, where only SQL can have written it.
  saved_by bigint references staff,
  -- The earlier version that this one brought back.
  restored_from integer check (restored_from < number),
  primary key (item_id, number)
);
create trigger content_versions_append_only before update or delete on content_versions
  for each row execute function refuse_change();
create trigger content_versions_no_truncate before truncate on content_versions
  for each statement execute function refuse_change();

alter table content_items
  add foreign key (id, latest_version) references content_versions (item_id, number) deferrable initially deferred,
  add foreign key (id, published_version) references content_versions (item_id, number) deferrable initially deferred,
  add foreign key (id, scheduled_version) references content_versions (item_id, number) deferrable initially deferred;

-- A preview writes a draft into the tables that the site reads, renders its page, and rolls back: nothing has changed.
create or replace function bump_content_version() returns trigger language plpgsql as $$
begin
  if current_setting('almoner.is_preview', true) = 'on' then
    return null;
  end if;
  update content_version set version = version + 1;
  perform pg_notify('content_changed', '');
  return null;
end $$;
