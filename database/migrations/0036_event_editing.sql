-- Events are written in the back office like news. What their picture says to people who cannot see it, as in
-- 0032_picture_words.sql.
alter table events
  add column image_words text not null default '',
  add column image_decorates boolean not null default false;

-- An event has its row, which visitors do not see, from the moment it is planned, so that it can have ticket types.
alter table content_items add column is_planned boolean not null default false;
