-- expand
-- Pictures and private files may be in an S3-compatible bucket instead of in their rows. Every row that is there already
-- has its bytes, so the constraints hold for all, although they only check what is written from now on.
alter table image_variants
  alter column bytes drop not null,
  add column object_key uuid,
  add column object_sha256 bytea,
  add column object_bytes integer,
  add constraint image_variants_file
    check (num_nonnulls(object_key, object_sha256, object_bytes) = case when bytes is null then 3 else 0 end) not valid;
alter table image_originals
  alter column bytes drop not null,
  add column object_key uuid,
  add column object_sha256 bytea,
  add column object_bytes integer,
  add constraint image_originals_file
    check (num_nonnulls(object_key, object_sha256, object_bytes) = case when bytes is null then 3 else 0 end) not valid;
alter table private_files
  alter column bytes drop not null,
  add column object_key uuid,
  add column object_sha256 bytea,
  add column object_bytes integer,
  add constraint private_files_file
    check (num_nonnulls(object_key, object_sha256, object_bytes) = case when bytes is null then 3 else 0 end) not valid;

-- Objects that may be needed no more: new ones, whose row may never come, and those whose row is gone. A chore looks at
-- each from `check_at` on, and deletes it unless a row refers to it.
create table objects_to_check (
  object_key uuid primary key,
  check_at timestamptz(3) not null
);

create function check_left_object() returns trigger language plpgsql as $$
begin
  -- Whoever has read the row just now still gets the object.
  insert into objects_to_check values (old.object_key, clock_timestamp() + interval '1 minute')
    on conflict (object_key) do update set check_at = excluded.check_at;
  return null;
end $$;
create trigger image_variants_object after delete or update of object_key on image_variants
  for each row when (old.object_key is not null) execute function check_left_object();
create trigger image_originals_object after delete or update of object_key on image_originals
  for each row when (old.object_key is not null) execute function check_left_object();
create trigger private_files_object after delete or update of object_key on private_files
  for each row when (old.object_key is not null) execute function check_left_object();
