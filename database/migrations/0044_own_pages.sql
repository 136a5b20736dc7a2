-- Pages and services can be taken down; the policies are always there.

alter table pages
  add column state text not null default 'published' check (state in ('draft', 'published')),
  add check (state = 'published' or type not in ('privacy', 'refunds', 'terms', 'accessibility'));
alter table services
  add column state text not null default 'published' check (state in ('draft', 'published'));

-- Pages that a charity adds, at /about/….
create table own_pages (
  id bigint generated always as identity primary key,
  slug text not null unique,
  title text not null,
  -- Below the title, for search engines and where the page is shared.
  summary text not null default '',
  html text not null default '',
  image text,
  image_words text not null default '',
  image_decorates boolean not null default false,
  state text not null default 'published' check (state in ('draft', 'published')),
  updated_at timestamptz(3) not null default now()
);
create trigger own_pages_touched before update on own_pages for each row execute function touch_updated_at();
create trigger own_pages_changed after insert or update or delete on own_pages
  for each statement execute function bump_content_version();

-- A draft that was never published, and that staff do not want to see for now.
alter table content_items
  add column is_put_aside boolean not null default false,
  add check (not is_put_aside or (published_version is null and scheduled_version is null));
