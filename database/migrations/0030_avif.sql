-- Copies of pictures as AVIF, which a job adds beside WebP and JPEG.

alter table image_variants
  drop constraint image_variants_format_check,
  add constraint image_variants_format_check check (format in ('webp', 'jpeg', 'avif'));

-- Not columns of `images`, whose changes empty the caches of pages.
create table image_avif_tries (
  hash text primary key references images on delete cascade,
  tries smallint not null,
  tried_at timestamptz(3) not null,
  -- A process is at it. All processes together encode one picture at a time.
  is_busy boolean not null default true,
  -- Nothing is left to do: there are copies, or they were not worth it.
  is_done boolean not null default false
);
