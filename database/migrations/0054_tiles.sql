-- The words of the tiles on the home page, below news and in the gallery. They stood in the site's code before.
-- A tile without a title is not shown.
alter table home
  add column tiles_heading text not null default 'Ways to help',
  add column tile_volunteer_title text not null default 'Become a volunteer',
  add column tile_volunteer_text text not null default 'Give an afternoon or a skill.',
  add column tile_fundraising_title text not null default 'Quick fundraising',
  add column tile_fundraising_text text not null default 'Collect donations from friends and family.',
  add column tile_donate_title text not null default 'Start donating',
  add column tile_donate_text text not null default 'Four short steps, and a receipt by email.';

-- Versions from before have the words that were shown with them.
alter table content_versions disable trigger content_versions_append_only;
update content_versions set data = data || jsonb_build_object(
  'tiles_heading', 'Ways to help',
  'tile_volunteer_title', 'Become a volunteer', 'tile_volunteer_text', 'Give an afternoon or a skill.',
  'tile_fundraising_title', 'Quick fundraising',
  'tile_fundraising_text', 'Collect donations from friends and family.',
  'tile_donate_title', 'Start donating', 'tile_donate_text', 'Four short steps, and a receipt by email.')
  from content_items where id = item_id and kind = 'home';
alter table content_versions enable trigger content_versions_append_only;

alter table home
  alter column tiles_heading drop default,
  alter column tile_volunteer_title drop default,
  alter column tile_volunteer_text drop default,
  alter column tile_fundraising_title drop default,
  alter column tile_fundraising_text drop default,
  alter column tile_donate_title drop default,
  alter column tile_donate_text drop default;
