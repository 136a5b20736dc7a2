-- expand
-- The waiting list of ticket types that are sold out. Seats are offered by an order that holds them for longer.

create table waiting_entries (
  id uuid primary key,
  event_id bigint not null references events,
  type_id bigint not null references ticket_types,
  -- A family that only comes together is one entry.
  quantity integer not null check (quantity between 1 and 9999),
  email text not null,
  first_name text not null,
  last_name text not null,
  -- Who was logged in when it was sent.
  user_id bigint references users on delete set null,
  joined_at timestamptz(3) not null,
  -- How long free seats are kept for it until there are enough; null before some were free.
  gathers_until timestamptz(3),
  offered_at timestamptz(3),
  -- The order that holds the seats it was offered; null before that, and once that order was deleted.
  order_id uuid references ticket_orders on delete set null,
  left_at timestamptz(3),
  -- Who of the staff took it off the list; null if the person left.
  removed_by bigint references staff,
  check (order_id is null or offered_at is not null),
  check (removed_by is null or left_at is not null)
);
create unique index waiting_entries_one on waiting_entries (type_id, lower(email))
  where offered_at is null and left_at is null;
create index waiting_entries_waiting on waiting_entries (event_id, joined_at, id)
  where offered_at is null and left_at is null;
create index waiting_entries_of_event on waiting_entries (event_id, joined_at, id);
create index waiting_entries_of_order on waiting_entries (order_id) where order_id is not null;
create index waiting_entries_of_email on waiting_entries (lower(email));
create index waiting_entries_of_user on waiting_entries (user_id) where user_id is not null;

-- Whether the free seats of a type are for its waiting list. Changed under the lock on the event's types.
alter table ticket_types add column keeps_seats boolean not null default false;

-- Seats that anybody can hold, of each type of an event: {"<id>": seats}.
create function count_seats_left(of_event bigint) returns json language sql stable as $$
  select json_object_agg(id, case when keeps_seats then 0 else greatest(0, capacity - sold - held) end)
    from ticket_types where event_id = of_event
$$;

-- As in 0010_tickets.sql. Where free seats are for the waiting list, an order is held only if it takes no more seats of
-- that type than it gives up.
create or replace function take_seats(
  of_event bigint, types bigint[], quantities integer[], instead uuid[], undecided text[], at timestamptz
) returns void language plpgsql as $$
declare
  freed_types bigint[];
  freed integer[];
  changed_types bigint[];
  changes integer[];
begin
  perform lock_seats(of_event);
  with given_up as (
    update ticket_orders set state = 'lapsed', hold_until = least(hold_until, at)
     where id = any(instead) and state = 'held'
       and not exists (
         select from payment_attempts where ticket_order_id = ticket_orders.id and state::text = any(undecided)
       )
    returning id
  )
  select array_agg(type_id), array_agg(-quantity) into freed_types, freed
    from ticket_order_lines where order_id in (select id from given_up);
  select array_agg(id), array_agg(change) into changed_types, changes
    from (select id, sum(quantity)::integer as change
            from unnest(types || freed_types, quantities || freed) as seats (id, quantity) group by id) as sums;
  if exists (
    select from unnest(changed_types, changes) as taken (id, change) join ticket_types using (id)
     where change > 0 and keeps_seats
  ) or not move_seats(of_event, changed_types, changes, array_fill(0, array[cardinality(changes)]), at) then
    raise exception 'the seats are unavailable' using errcode = 'AL001', detail = count_seats_left(of_event);
  end if;
end $$;

-- Gives up what an order holds, unless it is being paid for. Returns whether it held anything.
create function release_hold(of_order uuid, undecided text[], at timestamptz) returns boolean language plpgsql as $$
declare
  event bigint;
begin
  select event_id into event from ticket_orders where id = of_order;
  perform lock_seats(event);
  update ticket_orders set state = 'lapsed', hold_until = least(hold_until, at)
   where id = of_order and state = 'held'
     and not exists (select from payment_attempts where ticket_order_id = of_order and state::text = any(undecided));
  if not found then return false; end if;
  update ticket_types set held = held - quantity from ticket_order_lines where order_id = of_order and type_id = id;
  return true;
end $$;
