-- A phone that checks people in at an event's door. Staff name its place, and pair it by a code; its pass opens the door
-- of this event and nothing else.
create table door_phones (
  id uuid primary key,
  event_id bigint not null references events,
  -- Where it stands: 'Main entrance'.
  name text not null check (name <> ''),
  added_by bigint not null references staff,
  added_at timestamptz(3) not null,
  -- The SHA-256 of its pass; null until it is paired.
  pass_hash bytea unique check (length(pass_hash) = 32),
  paired_at timestamptz(3),
  last_seen_at timestamptz(3),
  -- When staff ended it. By itself its pass ends after the event.
  ended_at timestamptz(3),
  check ((pass_hash is null) = (paired_at is null))
);
create index door_phones_of_event on door_phones (event_id);

-- Who was let in, and which of it was undone. The phone makes the id, so that a scan that is sent twice counts once.
-- Nothing is refused that already happened at a door: of several scans of a ticket, the first to arrive let its holder
-- in, and the others are shown to staff.
create table door_scans (
  id uuid primary key,
  -- The order of arrival. An event's scans are written under its lock, so a phone that knows a number knows all before.
  number bigint generated always as identity unique,
  event_id bigint not null references events,
  ticket_id uuid not null references tickets,
  phone_id uuid not null references door_phones,
  -- The scan that this one undoes.
  undoes uuid references door_scans,
  -- By the phone's clock, corrected by the server's.
  scanned_at timestamptz(3) not null,
  received_at timestamptz(3) not null
);
create index door_scans_of_event on door_scans (event_id, number);
create index door_scans_of_ticket on door_scans (ticket_id);
create index door_scans_of_phone on door_scans (phone_id);
create index door_scans_undone on door_scans (undoes) where undoes is not null;
create trigger door_scans_append_only before update or delete on door_scans
  for each row execute function refuse_change();
