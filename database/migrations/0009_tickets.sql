-- Events whose tickets are sold: types with their counters, orders that hold seats before they are paid, and tickets.

create table ticket_types (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  -- Names the type within its event, on the wire and in addresses.
  code text not null check (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title text not null,
  description text not null default '',
  position integer not null default 0,
  price_cents bigint not null check (price_cents > 0),
  capacity integer not null check (capacity >= 0),
  sold integer not null default 0,
  held integer not null default 0,
  limit_per_order integer not null default 10 check (limit_per_order between 1 and 9999),
  -- The sale window; open where null, and in any case over once the event is.
  sales_from timestamptz(3),
  sales_until timestamptz(3),
  unique (event_id, code),
  check (sales_until > sales_from),
  -- The last line of defence: whatever a booking believes, no seat is promised twice.
  constraint ticket_types_never_oversold check (sold >= 0 and held >= 0 and sold + held <= capacity)
);
create index ticket_types_of_event on ticket_types (event_id, id);
-- Which events have tickets, and what they cost, is on cached pages; how many are left is not.
create trigger ticket_types_listed after insert or delete on ticket_types
  for each statement execute function bump_content_version();

-- An order holds seats from the moment its checkout opens. Its buyer is known once a payment is sent.
create table ticket_orders (
  id uuid primary key,
  reference text not null unique,
  event_id bigint not null references events,
  -- The client's key of the hold, so that a copy of it is answered with the same order.
  client_key text unique,
  request_hash bytea not null,
  state text not null check (state in ('held', 'lapsed', 'paid', 'cancelled', 'refunded')),
  hold_until timestamptz(3) not null,
  total_cents bigint not null check (total_cents > 0),
  currency text not null default 'AUD' check (currency = 'AUD'),
  email text,
  first_name text,
  last_name text,
  country text,
  phone text not null default '',
  address text not null default '',
  postcode text not null default '',
  suburb text not null default '',
  created_at timestamptz(3) not null,
  paid_at timestamptz(3),
  check (state not in ('paid', 'cancelled', 'refunded') or (paid_at is not null and email is not null))
);
create index ticket_orders_held on ticket_orders (event_id, hold_until) where state = 'held';
create index ticket_orders_lapsed on ticket_orders (created_at) where state = 'lapsed';
create index ticket_orders_of_email on ticket_orders (lower(email)) where email is not null;

create table ticket_order_lines (
  order_id uuid not null references ticket_orders on delete cascade,
  type_id bigint not null references ticket_types,
  quantity integer not null check (quantity > 0),
  -- As they were when the seats were held, whatever the type says later.
  title text not null,
  price_cents bigint not null check (price_cents > 0),
  primary key (order_id, type_id)
);

create function check_ticket_order_sum() returns trigger language plpgsql as $$
begin
  if (select sum(quantity * price_cents) from ticket_order_lines where order_id = new.id) is distinct from new.total_cents then
    raise exception 'the lines of ticket order % do not sum to its total', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ticket_order_sum after insert or update of total_cents on ticket_orders
  deferrable initially deferred for each row execute function check_ticket_order_sum();

-- A seat that was paid for. `serial` is what its QR code carries, and no other ticket has it.
create table tickets (
  id uuid primary key,
  order_id uuid not null references ticket_orders,
  type_id bigint not null references ticket_types,
  position integer not null,
  holder_name text not null,
  serial bytea not null unique check (length(serial) = 8),
  cancelled_at timestamptz(3),
  -- The refund that goes with the cancellation, where one does.
  refund_id uuid references refunds,
  unique (order_id, position)
);

-- A payment is for a donation or for a ticket order, never for both.
alter table payment_attempts alter column donation_id drop not null;
alter table payment_attempts add column ticket_order_id uuid references ticket_orders;
alter table payment_attempts add check (num_nonnulls(donation_id, ticket_order_id) = 1);
create index payment_attempts_of_ticket_order on payment_attempts (ticket_order_id) where ticket_order_id is not null;
-- Which of its payments bought the tickets: a later one, or one that came when no seat was left, is given back.
alter table ticket_orders add column paid_attempt_id uuid references payment_attempts;
-- An order may be tried again after a decline, so a late charge can meet one that is paid already: it is given back. Only
-- what is under way keeps others out.
create unique index payment_attempts_one_under_way on payment_attempts (ticket_order_id)
  where ticket_order_id is not null and state in ('created', 'requires_action', 'submitting', 'unknown', 'processing');

-- Everybody who wants a seat of an event waits for the rows of its ticket types. They are locked in the order of their ids;
-- a payment that matters too is locked before them, orders after them. What is done under these locks is one call, so that
-- they last no longer than it and the commit.

-- Not for update: that would wait for whoever writes a line or a ticket of a type.
create function lock_seats(of_event bigint) returns void language plpgsql as $$
begin
  perform from ticket_types where event_id = of_event order by id for no key update;
end $$;

-- Frees the seats of every hold of an event whose time is over. The types must be locked.
create function lapse_holds(of_event bigint, at timestamptz) returns void language sql as $$
  with lapsed as (
    update ticket_orders set state = 'lapsed' where event_id = of_event and state = 'held' and hold_until <= at returning id
  ), freed as (
    select type_id, sum(quantity)::integer as quantity
      from ticket_order_lines where order_id in (select id from lapsed) group by type_id
  )
  update ticket_types set held = held - freed.quantity from freed where ticket_types.id = freed.type_id
$$;

-- Changes the counters of an event's types where the seats are there, all or none; where they are wanting, what expired
-- holds had comes free first. Each change says how many more are held and sold; negative is fewer.
create function move_seats(of_event bigint, types bigint[], held_more integer[], sold_more integer[], at timestamptz)
returns boolean language plpgsql as $$
begin
  perform lock_seats(of_event);
  for try in 1..2 loop
    if not exists (
      select from unnest(types, held_more, sold_more) as change (id, held, sold) join ticket_types type using (id)
       where change.held + change.sold > type.capacity - type.sold - type.held
    ) then
      update ticket_types type set held = type.held + change.held, sold = type.sold + change.sold
        from unnest(types, held_more, sold_more) as change (id, held, sold) where type.id = change.id;
      return true;
    end if;
    if try = 1 then perform lapse_holds(of_event, at); end if;
  end loop;
  return false;
end $$;

-- A payment for an order has come. 'paid': the seats that it held, or others where it had lapsed, are sold to it.
-- 'gone': it had lapsed, and not enough are left. 'closed': another payment has settled it already.
create function sell_seats(of_order uuid, payment uuid, at timestamptz) returns text language plpgsql as $$
declare
  event bigint;
  was text;
  is_sold boolean;
begin
  select event_id into event from ticket_orders where id = of_order;
  perform lock_seats(event);
  select state into was from ticket_orders where id = of_order for no key update;
  if was not in ('held', 'lapsed') then return 'closed'; end if;
  select move_seats(event, array_agg(type_id), array_agg(case was when 'held' then -quantity else 0 end), array_agg(quantity), at)
    into is_sold from ticket_order_lines where order_id = of_order;
  update ticket_orders set state = case when is_sold then 'paid' else 'refunded' end, paid_at = at, paid_attempt_id = payment
   where id = of_order;
  return case when is_sold then 'paid' else 'gone' end;
end $$;
