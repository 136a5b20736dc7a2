-- Links to documents can be revoked: those to a path that were made until `revoked_at` open nothing. Who did it stays on record.
create table link_revocations (
  id bigint generated always as identity primary key,
  -- As it is signed: '/receipts/…', '/ticket-orders/…', '/volunteer/application/…'.
  path text not null,
  revoked_at timestamptz(3) not null,
  -- `staff` for the operator's command, else a member of staff by name.
  revoked_by text not null
);
create index link_revocations_of_path on link_revocations (path, revoked_at);
create trigger link_revocations_append_only before update or delete on link_revocations
  for each row execute function refuse_change();
