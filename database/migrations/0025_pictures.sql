-- The library of pictures. What staff call a picture, what must stay in view when it is cut, and the file as it was
-- sent, from which new shapes and formats can be made. An original is never served: it may say where it was taken.

alter table images
  -- The name of its file, for staff; visitors never see it.
  add column name text not null default '',
  add column added_by bigint references staff,
  -- In per cent from the left and the top.
  add column focus_x smallint not null default 50 check (focus_x between 0 and 100),
  add column focus_y smallint not null default 50 check (focus_y between 0 and 100),
  -- The picture that staff put in its place everywhere.
  add column replaced_by text references images on delete set null check (replaced_by <> hash);

create index images_newest_first on images (created_at desc, hash desc);

-- Pages are built with the focal point, and must not show what was deleted.
create trigger images_changed after update or delete on images
  for each statement execute function bump_content_version();

create table image_originals (
  hash text primary key references images on delete cascade,
  bytes bytea not null
);
-- Pictures are compressed already.
alter table image_originals alter column bytes set storage external;
