-- Links of what is published to other websites: where each stands, and whether it leads anywhere.

create table external_links (
  id bigint generated always as identity primary key,
  address text not null unique check (length(address) <= 2000),
  host text not null,
  -- 'failing': failed once, and is 'dead' if it fails again. 'unclear': nobody said whether the page is there.
  state text not null default 'new' check (state in ('new', 'works', 'unclear', 'failing', 'dead')),
  -- Why it fails, in a word: src/features/content/server/external-links/check-links.ts.
  reason text,
  failing_since timestamptz(3),
  checked_at timestamptz(3),
  check_at timestamptz(3) not null,
  -- Staff say that it is fine.
  is_excepted boolean not null default false,
  check ((state in ('failing', 'dead')) = (failing_since is not null) and (failing_since is null) = (reason is null))
);
create index external_links_to_check on external_links (check_at) where not is_excepted;
create index external_links_by_host on external_links (host, checked_at);

create table external_link_uses (
  link_id bigint not null references external_links on delete cascade,
  -- As in content_items; 'events' with the slug.
  kind text not null,
  live_key text not null,
  primary key (link_id, kind, live_key)
);

-- One row: all processes together check one link at a time.
create table external_link_checks (
  is_singleton boolean primary key default true check (is_singleton),
  -- The version of the content whose links are known.
  content_version bigint not null default 0,
  busy_until timestamptz(3),
  -- When another website last answered, and since when none does.
  reached_at timestamptz(3),
  unreached_since timestamptz(3)
);
insert into external_link_checks default values;
