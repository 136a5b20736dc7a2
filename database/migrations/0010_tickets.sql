-- Tickets of events: types with their counters of seats, orders that hold seats before they are paid, and tickets.

create table ticket_types (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  -- Identifies the type within its event, in the API and in addresses.
  code text not null check (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title text not null,
  description text not null default '',
  position integer not null default 0,
  price_cents bigint not null check (price_cents > 0),
  capacity integer not null check (capacity >= 0),
  sold integer not null default 0,
  held integer not null default 0,
  limit_per_order integer not null default 10 check (limit_per_order between 1 and 9999),
  -- When sales open and close; null is no limit, but nothing is sold once the event is over.
  sales_from timestamptz(3),
  sales_until timestamptz(3),
  unique (event_id, code),
  check (sales_until > sales_from),
  -- The last line of defence: whatever the code believes, no seat is promised twice.
  constraint ticket_types_never_oversold check (sold >= 0 and held >= 0 and sold + held <= capacity)
);
create index ticket_types_of_event on ticket_types (event_id, id);
-- Cached pages show which events have tickets and what these cost, but not how many are left.
create trigger ticket_types_listed after insert or delete on ticket_types
  for each statement execute function bump_content_version();

-- An order holds seats from the moment its checkout opens. The buyer is known once a payment is sent.
create table ticket_orders (
  id uuid primary key,
  reference text not null unique,
  event_id bigint not null references events,
  -- The key and content of the hold's request, so that a copy of it is answered with the same order.
  client_key text unique,
  request_hash bytea not null,
  state text not null check (state in ('held', 'lapsed', 'paid', 'cancelled', 'refunded')),
  hold_until timestamptz(3) not null,
  -- What holds are limited by: the id in the browser's cookie, and a keyed hash of the network address.
  browser_id text,
  network_hash text,
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
  -- Who was logged in when it was sent, and since when that account is closed.
  user_id bigint references users on delete set null,
  account_closed_at timestamptz(3),
  created_at timestamptz(3) not null,
  paid_at timestamptz(3),
  -- The payment that bought the tickets. Any other, or one that came when no seat was left, is given back.
  paid_attempt_id uuid references payment_attempts,
  check (state not in ('paid', 'cancelled', 'refunded') or (paid_at is not null and email is not null))
);
create index ticket_orders_held on ticket_orders (event_id, hold_until) where state = 'held';
create index ticket_orders_of_browser on ticket_orders (event_id, browser_id)
  where state = 'held' and browser_id is not null;
create index ticket_orders_recent on ticket_orders (event_id, created_at);
create index ticket_orders_lapsed on ticket_orders (created_at) where state = 'lapsed';
create index ticket_orders_of_email on ticket_orders (lower(email)) where email is not null;
create index ticket_orders_of_user on ticket_orders (user_id) where user_id is not null;
-- What the erasure of personal data looks for.
create index ticket_orders_of_closed_accounts on ticket_orders (account_closed_at)
  where account_closed_at is not null and email <> '';
create index ticket_orders_with_buyer on ticket_orders (event_id) where email <> '';
create index ticket_orders_with_browser on ticket_orders (created_at)
  where browser_id is not null or network_hash is not null;

create table ticket_order_lines (
  order_id uuid not null references ticket_orders on delete cascade,
  type_id bigint not null references ticket_types,
  quantity integer not null check (quantity > 0),
  -- As they were when the seats were held, whatever the type says later.
  title text not null,
  price_cents bigint not null check (price_cents > 0),
  primary key (order_id, type_id)
);

-- At the end of a transaction, an order's lines sum to its total.
create function check_ticket_order_sum() returns trigger language plpgsql as $$
begin
  if (select sum(quantity * price_cents) from ticket_order_lines where order_id = new.id)
     is distinct from new.total_cents then
    raise exception 'the lines of ticket order % do not sum to its total', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ticket_order_sum after insert or update of total_cents on ticket_orders
  deferrable initially deferred for each row execute function check_ticket_order_sum();

-- A seat that was paid for.
create table tickets (
  id uuid primary key,
  order_id uuid not null references ticket_orders,
  type_id bigint not null references ticket_types,
  position integer not null,
  holder_name text not null,
  -- What the QR code carries.
  serial bytea not null unique check (length(serial) = 8),
  cancelled_at timestamptz(3),
  -- The refund that goes with the cancellation, where there is one.
  refund_id uuid references refunds,
  unique (order_id, position)
);

-- A payment is for a donation or for a ticket order, never for both.
alter table payment_attempts
  add column ticket_order_id uuid references ticket_orders,
  add constraint payment_attempts_one_subject check (num_nonnulls(donation_id, ticket_order_id) = 1);
create index payment_attempts_of_ticket_order on payment_attempts (ticket_order_id) where ticket_order_id is not null;
-- An order has at most one payment under way. It may be tried again after a decline, so a late charge can meet an order
-- that is paid already: that charge is given back.
create unique index payment_attempts_one_under_way on payment_attempts (ticket_order_id)
  where ticket_order_id is not null and state in ('created', 'requires_action', 'submitting', 'unknown', 'processing');

-- Everybody who wants a seat of an event waits for the locks on its ticket types. Locks are taken in one order: the
-- payment (where there is one), the types by id, the orders. What takes them is the last statement of its transaction
-- and is sent together with the commit, so that nobody waits for a message on its way.

-- No stronger lock: `for update` would also wait for whoever writes a line or a ticket of a type.
create function lock_seats(of_event bigint) returns void language plpgsql as $$
begin
  perform from ticket_types where event_id = of_event order by id for no key update;
end $$;

-- Frees the seats of every hold of an event that has expired. The types must be locked.
create function lapse_holds(of_event bigint, at timestamptz) returns void language sql as $$
  with lapsed as (
    update ticket_orders set state = 'lapsed'
     where event_id = of_event and state = 'held' and hold_until <= at returning id
  ), freed as (
    select type_id, sum(quantity)::integer as quantity
      from ticket_order_lines where order_id in (select id from lapsed) group by type_id
  )
  update ticket_types set held = held - freed.quantity from freed where ticket_types.id = freed.type_id
$$;

-- Changes the counters of an event's types, all or none. Each change says how many more seats are held and sold;
-- negative is fewer. Where seats are unavailable, expired holds are freed first. Returns whether there were enough.
create function move_seats(
  of_event bigint, types bigint[], held_change integer[], sold_change integer[], at timestamptz
) returns boolean language plpgsql as $$
begin
  perform lock_seats(of_event);
  for try in 1..2 loop
    if not exists (
      select from unnest(types, held_change, sold_change) as change (id, held, sold) join ticket_types type using (id)
       where change.held + change.sold > type.capacity - type.sold - type.held
    ) then
      update ticket_types type set held = type.held + change.held, sold = type.sold + change.sold
        from unnest(types, held_change, sold_change) as change (id, held, sold) where type.id = change.id;
      return true;
    end if;
    if try = 1 then perform lapse_holds(of_event, at); end if;
  end loop;
  return false;
end $$;

-- Takes the seats of a hold, and gives up the orders in `instead`, except one with a payment in a state of `undecided`.
-- Where seats are unavailable it raises AL001, which undoes the hold; the detail says how many are left of each type of
-- the event: {"<id>": seats}.
create function take_seats(
  of_event bigint, types bigint[], quantities integer[], instead uuid[], undecided text[], at timestamptz
) returns void language plpgsql as $$
declare
  freed_types bigint[];
  freed integer[];
  is_held boolean;
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
  select move_seats(of_event, array_agg(id), array_agg(change), array_agg(0), at) into is_held
    from (select id, sum(quantity)::integer as change
            from unnest(types || freed_types, quantities || freed) as seats (id, quantity) group by id) as changes;
  if not is_held then
    raise exception 'the seats are unavailable' using errcode = 'AL001', detail = (
      select json_object_agg(id, greatest(0, capacity - sold - held)) from ticket_types where event_id = of_event
    );
  end if;
end $$;

-- A payment for an order has come. 'paid': the seats that it held, or others where it had lapsed, are sold to it.
-- 'sold_out': it had lapsed, and not enough are left. 'closed': another payment has settled it already.
create function sell_seats(of_order uuid, payment uuid, at timestamptz) returns text language plpgsql as $$
declare
  event bigint;
  old_state text;
  is_sold boolean;
begin
  select event_id into event from ticket_orders where id = of_order;
  perform lock_seats(event);
  select state into old_state from ticket_orders where id = of_order for no key update;
  if old_state not in ('held', 'lapsed') then return 'closed'; end if;
  select move_seats(
    event, array_agg(type_id), array_agg(case old_state when 'held' then -quantity else 0 end), array_agg(quantity), at
  ) into is_sold from ticket_order_lines where order_id = of_order;
  update ticket_orders
     set state = case when is_sold then 'paid' else 'refunded' end, paid_at = at, paid_attempt_id = payment
   where id = of_order;
  return case when is_sold then 'paid' else 'sold_out' end;
end $$;

-- As sell_seats, but raises AL002, which undoes the transaction, where the seats cannot be sold. sell_seats then says
-- why, and records it.
create function sell_seats_or_refuse(of_order uuid, payment uuid, at timestamptz) returns void language plpgsql as $$
begin
  if sell_seats(of_order, payment, at) <> 'paid' then
    raise exception 'the seats cannot be sold to this payment' using errcode = 'AL002';
  end if;
end $$;
