-- The public site: events, articles, drafts, pictures that are served in several widths, and messages from the contact form.

-- Staff write ahead: a draft is nowhere on the site. `updated_at` dates the site map.
do $$
declare
  content_table text;
begin
  foreach content_table in array array['causes', 'testimonials', 'news', 'gallery_items'] loop
    execute format('alter table %I add column state text not null default ''published''
        check (state in (''draft'', ''published'')),
      add column updated_at timestamptz(3) not null default now()', content_table);
  end loop;
end $$;

create table events (
  id bigint generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title text not null,
  summary text not null,
  html text not null default '',
  image text not null,
  -- Where it happens, for people; empty for an event that is online alone.
  place text not null default '',
  is_online boolean not null default false,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  -- IANA name: the clock that the event itself goes by.
  time_zone text not null default 'Australia/Sydney',
  -- A campaign of a day has a date and no hours.
  is_all_day boolean not null default false,
  created_by text not null,
  state text not null default 'published' check (state in ('draft', 'published')),
  updated_at timestamptz(3) not null default now(),
  check (ends_at >= starts_at),
  check (place <> '' or is_online)
);
create index events_by_end on events (ends_at, id) where state = 'published';

alter table news
  add column slug text unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  add column html text not null default '';
update news set slug = trim(both '-' from regexp_replace(lower(title), '[^a-z0-9]+', '-', 'g')) || '-' || id;
alter table news alter column slug set not null;

drop index news_newest_first, gallery_items_newest_first, causes_by_position, testimonials_by_position;
create index news_newest_first on news (published_on desc, id desc) where state = 'published';
create index gallery_items_newest_first on gallery_items (image_date desc, id desc) where state = 'published';
create index causes_by_position on causes (position, id) where state = 'published';
create index testimonials_by_position on testimonials (position, id) where state = 'published';

-- Links to what others say, beside the text of a page (PAGE-4): [{"label": …, "url": …}].
alter table pages add column links jsonb not null default '[]' check (jsonb_typeof(links) = 'array');

-- A picture that staff added. Content names it '/images/<hash>', the hash of the bytes that were added; only what was
-- re-encoded from them is kept, so no place, camera or hidden file comes along.
create table images (
  hash text primary key check (hash ~ '^[0-9a-f]{32}$'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- Its average colour, which stands in until it is there.
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

create table contact_messages (
  id uuid primary key,
  -- Made by the page, so that a message sent again after a lost answer is the same message.
  client_key uuid not null unique,
  name text not null,
  email text not null,
  phone text not null default '',
  subject text not null default '',
  message text not null,
  created_at timestamptz(3) not null
);
create index contact_messages_newest_first on contact_messages (created_at desc, id);

create function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;

do $$
declare
  content_table text;
begin
  foreach content_table in array array['pages', 'causes', 'testimonials', 'news', 'gallery_items', 'events'] loop
    execute format('create trigger %I before update on %I for each row execute function touch_updated_at()',
      content_table || '_touched', content_table);
  end loop;
end $$;
create trigger events_changed after insert or update or delete on events
  for each statement execute function bump_content_version();
