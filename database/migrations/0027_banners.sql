-- A line above the header of every page, from a time to a time.

create table banners (
  id bigint generated always as identity primary key,
  title text not null,
  link_label text not null default '',
  -- A path of this site or an https address.
  link_address text not null default '',
  -- On a clock in Sydney.
  starts_at timestamp(0) not null,
  ends_at timestamp(0) not null,
  state text not null default 'published' check (state in ('draft', 'published')),
  updated_at timestamptz(3) not null default now(),
  check (ends_at > starts_at),
  check ((link_label = '') = (link_address = ''))
);
create trigger banners_touched before update on banners for each row execute function touch_updated_at();
create trigger banners_changed after insert or update or delete on banners
  for each statement execute function bump_content_version();

-- The browser of who closes one remembers that, and the privacy policy says so.
update pages set html = replace(html,
  'and that you chose to give as a guest. Card details',
  'that you chose to give as a guest, and which announcements you have closed. Card details')
  where type = 'privacy';
