-- Where old addresses lead, and the menus of header and footer.

-- Only what nothing answers is looked up here. No target is itself redirected: whoever writes here keeps it so.
create table redirects (
  -- Without escapes, in lower case.
  path text primary key check (path ~ '^/[^/?#%]'),
  -- A path of this site or an https address.
  target text not null check (target ~ '^(/|https://)'),
  -- The page had this address and was moved; otherwise somebody added it by hand.
  is_move boolean not null,
  made_at timestamptz(3) not null,
  made_by bigint not null references staff
);
create index redirects_newest_first on redirects (made_at desc, path);

-- One row. Each list is [{"label": …, "url": …}]; an empty one is as the site delivers it.
create table menus (
  type text primary key check (type = 'menus'),
  title text not null,
  main jsonb not null default '[]' check (jsonb_typeof(main) = 'array'),
  organisation jsonb not null default '[]' check (jsonb_typeof(organisation) = 'array'),
  services jsonb not null default '[]' check (jsonb_typeof(services) = 'array'),
  foot_organisation jsonb not null default '[]' check (jsonb_typeof(foot_organisation) = 'array'),
  foot_services jsonb not null default '[]' check (jsonb_typeof(foot_services) = 'array'),
  updated_at timestamptz(3) not null default now()
);
insert into menus (type, title) values ('menus', 'Header and footer');
create trigger menus_touched before update on menus for each row execute function touch_updated_at();
create trigger menus_changed after insert or update or delete on menus
  for each statement execute function bump_content_version();
