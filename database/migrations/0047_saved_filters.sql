-- A list's filter that a member of staff has saved for themselves, without its search words, which may name somebody.
create table saved_filters (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff,
  -- The address of the list, and the filter as its query.
  path text not null,
  query text not null check (query <> ''),
  name text not null check (name <> ''),
  created_at timestamptz(3) not null,
  unique (staff_id, path, name)
);
