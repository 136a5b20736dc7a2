-- What each picture says to people who cannot see it, at each place where it stands; or that it only decorates.

do $$
declare
  content_table text;
begin
  foreach content_table in array array['news', 'pages', 'services', 'causes', 'testimonials', 'gallery_items'] loop
    execute format('alter table %I add column image_words text not null default %L,
      add column image_decorates boolean not null default false', content_table, '');
  end loop;
end $$;

-- A version has every column of its row; without these it would look as if SQL had changed the row.
alter table content_versions disable trigger content_versions_append_only;
update content_versions set data = data || '{"image_words": "", "image_decorates": false}'
where data ? 'image';
alter table content_versions enable trigger content_versions_append_only;
