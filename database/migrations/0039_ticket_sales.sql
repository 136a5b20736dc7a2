-- What staff decide about tickets: free types, types for those who have a link, and discount codes. An order that costs
-- nothing is settled by one call, as the others are.

alter table ticket_types
  drop constraint ticket_types_price_cents_check,
  add check (price_cents >= 0),
  -- 'link': for whoever has the link with its key.
  add column visibility text not null default 'public' check (visibility in ('public', 'link')),
  add column access_key text not null default substr(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 1, 16),
  -- Not on offer any more; its tickets stay valid.
  add column retired_at timestamptz(3);

-- Cached pages show which types an event has and what they cost, but not how many are left.
drop trigger ticket_types_listed on ticket_types;
create trigger ticket_types_listed
  after insert or delete or update of title, price_cents, visibility, retired_at on ticket_types
  for each statement execute function bump_content_version();

create table discount_codes (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  code text not null check (code ~ '^[A-Z0-9-]{3,30}$'),
  percent integer check (percent between 1 and 100),
  -- Off each ticket.
  cents bigint check (cents > 0),
  -- Empty for all types.
  type_ids integer[] not null default '{}',
  valid_from timestamptz(3),
  valid_until timestamptz(3),
  -- A use is a ticket that it makes cheaper, from when its seat is held. Null for no limit.
  most_uses integer check (most_uses > 0),
  most_per_order integer not null check (most_per_order > 0),
  ended_at timestamptz(3),
  unique (event_id, code),
  check (num_nonnulls(percent, cents) = 1),
  check (valid_until > valid_from)
);

alter table ticket_orders
  drop constraint ticket_orders_total_cents_check,
  add check (total_cents >= 0),
  -- 'online': by a payment provider. 'free': nothing was to pay.
  add column paid_by text not null default 'online' check (paid_by in ('online', 'free')),
  add column discount_id bigint references discount_codes,
  -- As the buyer typed it, whatever becomes of it.
  add column discount_code text not null default '',
  add check (paid_by <> 'free' or total_cents = 0);
create index ticket_orders_with_discount on ticket_orders (discount_id) where discount_id is not null;

alter table ticket_order_lines
  drop constraint ticket_order_lines_price_cents_check,
  add check (price_cents >= 0),
  -- How many of its tickets the discount code makes cheaper, and by how much each.
  add column discounted integer not null default 0,
  add column discount_cents bigint not null default 0,
  add check (discounted between 0 and quantity),
  add check (discount_cents between 0 and price_cents),
  add check ((discounted = 0) = (discount_cents = 0));

create or replace function check_ticket_order_sum() returns trigger language plpgsql as $$
begin
  if (select sum(quantity * price_cents - discounted * discount_cents) from ticket_order_lines where order_id = new.id)
     is distinct from new.total_cents then
    raise exception 'the lines of ticket order % do not sum to its total', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- What the discount code took off the price of this ticket.
alter table tickets add column discount_cents bigint not null default 0 check (discount_cents >= 0);

create or replace function issue_tickets(of_order uuid) returns void language sql as $$
  insert into tickets (id, order_id, type_id, position, holder_name, serial, discount_cents)
  select gen_random_uuid(), of_order, line.type_id, row_number() over (order by line.type_id, seat),
         bought.first_name || ' ' || bought.last_name, substring(sha256(uuid_send(gen_random_uuid())) for 8),
         case when seat <= line.discounted then line.discount_cents else 0 end
    from ticket_orders bought
    join ticket_order_lines line on line.order_id = bought.id
   cross join generate_series(1, line.quantity) as seat
   where bought.id = of_order
  on conflict (order_id, position) do nothing
$$;

-- How many tickets a discount code makes cheaper: those of holds, and valid ones. Counted, so that no counter can differ;
-- whoever changes the number has locked the event's types.
create function count_uses(of_discount bigint) returns bigint language sql as $$
  select (select coalesce(sum(line.discounted), 0) from ticket_orders held
            join ticket_order_lines line on line.order_id = held.id
           where held.discount_id = of_discount and held.state = 'held')
       + (select count(*) from ticket_orders paid
            join tickets on tickets.order_id = paid.id
           where paid.discount_id = of_discount and paid.state = 'paid' and tickets.cancelled_at is null
             and tickets.discount_cents > 0)
$$;

-- Whether a code has so many more uses. Where it has not, expired holds are freed first. The types must be locked.
create function has_uses(of_discount bigint, more bigint, of_event bigint, at timestamptz) returns boolean
language plpgsql as $$
begin
  if of_discount is null then return true; end if;
  for try in 1..2 loop
    if (select most_uses is null or count_uses(id) + more <= most_uses from discount_codes where id = of_discount) then
      return true;
    end if;
    if try = 1 then perform lapse_holds(of_event, at); end if;
  end loop;
  return false;
end $$;

-- As in 0024_hold_in_one_call.sql, and with a discount code: raises AL008 if it has too few uses left; the detail is how
-- many.
create or replace function hold_seats(
  held jsonb, lines jsonb, instead uuid[], undecided text[], known bigint, since timestamptz
) returns void language plpgsql as $$
declare
  own ticket_orders := jsonb_populate_record(null::ticket_orders, held);
begin
  perform lock_holder(own.event_id, own.network_hash, own.browser_id);
  if count_orders(own.event_id, own.network_hash, own.browser_id, since) <> known then
    raise exception 'another hold was made meanwhile' using errcode = 'AL006';
  end if;
  insert into ticket_orders
    (id, reference, event_id, client_key, request_hash, state, hold_until, browser_id, network_hash, total_cents,
     discount_id, discount_code, created_at)
  values
    (own.id, own.reference, own.event_id, own.client_key, own.request_hash, 'held', own.hold_until, own.browser_id,
     own.network_hash, own.total_cents, own.discount_id, coalesce(own.discount_code, ''), own.created_at)
  on conflict (client_key) do nothing;
  if not found then
    raise exception 'there is an order with this key' using errcode = 'AL007';
  end if;
  insert into ticket_order_lines (order_id, type_id, quantity, title, price_cents, discounted, discount_cents)
  select own.id, type_id, quantity, title, price_cents, coalesce(discounted, 0), coalesce(discount_cents, 0)
    from jsonb_populate_recordset(null::ticket_order_lines, lines);
  -- Last: everybody who wants a seat of the event waits for its types until this transaction ends.
  perform take_seats(own.event_id, array_agg(type_id), array_agg(quantity), instead, undecided, own.created_at)
     from ticket_order_lines where order_id = own.id;
  -- Its own uses count already.
  if not has_uses(own.discount_id, 0, own.event_id, own.created_at) then
    raise exception 'the code has too few uses left' using errcode = 'AL008', detail = (
      select greatest(0, most_uses - count_uses(id)
        + (select sum(discounted) from ticket_order_lines where order_id = own.id))
        from discount_codes where id = own.discount_id
    );
  end if;
end $$;

-- As in 0010_tickets.sql. A lapsed order takes its uses of a discount code again; without them it is as if the seats were
-- gone.
create or replace function sell_seats(of_order uuid, payment uuid, at timestamptz) returns text language plpgsql as $$
declare
  own ticket_orders;
  event bigint;
  is_sold boolean;
begin
  select event_id into event from ticket_orders where id = of_order;
  perform lock_seats(event);
  select * into own from ticket_orders where id = of_order for no key update;
  if own.state not in ('held', 'lapsed') then return 'closed'; end if;
  is_sold := own.state = 'held' or has_uses(
    own.discount_id, (select sum(discounted) from ticket_order_lines where order_id = of_order), event, at);
  if is_sold then
    select move_seats(
      event, array_agg(type_id), array_agg(case own.state when 'held' then -quantity else 0 end), array_agg(quantity), at
    ) into is_sold from ticket_order_lines where order_id = of_order;
  end if;
  update ticket_orders
     set state = case when is_sold then 'paid' else 'refunded' end, paid_at = at, paid_attempt_id = payment
   where id = of_order;
  return case when is_sold then 'paid' else 'sold_out' end;
end $$;

-- Settles a held order that costs nothing: the buyer, the tickets, their email and the seats, all or nothing. `paid` has
-- the columns that change. Raises AL005 if the order holds no seats; the detail is `order_closed` or `hold_lapsed`.
create function settle_free_order(of_order uuid, paid jsonb, emails jsonb, at timestamptz) returns void
language plpgsql as $$
declare
  own ticket_orders;
  event bigint;
begin
  select event_id into event from ticket_orders where id = of_order;
  perform lock_seats(event);
  select * into own from ticket_orders where id = of_order for no key update;
  if own.state not in ('held', 'lapsed') then
    raise exception 'the order is closed' using errcode = 'AL005', detail = 'order_closed';
  end if;
  if own.state = 'lapsed' or own.hold_until <= at then
    raise exception 'the order holds no seats any more' using errcode = 'AL005', detail = 'hold_lapsed';
  end if;
  update ticket_orders as settled
     set (email, first_name, last_name, country, phone, address, postcode, suburb, user_id)
       = (select email, first_name, last_name, country, phone, address, postcode, suburb, user_id
            from jsonb_populate_record(settled, paid)),
         state = 'paid', paid_by = 'free', paid_at = at
   where id = of_order;
  perform issue_tickets(of_order);
  perform send_jobs('emails', emails);
  perform move_seats(event, array_agg(type_id), array_agg(-quantity), array_agg(quantity), at)
     from ticket_order_lines where order_id = of_order;
end $$;

-- As in 0024_hold_in_one_call.sql, but what was booked for nothing earns no further seats: it counts like a hold that
-- nobody paid for.
create or replace function see_holds(
  of_event bigint, network text, browser text, named uuid, undecided text[], since timestamptz, at timestamptz
) returns jsonb language plpgsql stable as $$
begin
  return (
    select jsonb_build_object(
      'earlier', (
        select coalesce(jsonb_agg(jsonb_build_object('orderId', id, 'typeId', type_id, 'quantity', quantity)), '[]')
          from ticket_orders earlier join ticket_order_lines on order_id = id
         where event_id = of_event and state = 'held' and (browser_id = browser or id = named) and not exists (
           select from payment_attempts where ticket_order_id = earlier.id and state::text = any(undecided)
         )
      ),
      'unpaidSeatMs', coalesce(sum(quantity * extract(epoch from hold_until - created_at) * 1000)
        filter (where state in ('held', 'lapsed') or (state = 'paid' and total_cents = 0)), 0),
      'liveSeats', coalesce(sum(quantity) filter (where state = 'held' and hold_until > at), 0),
      'paidSeats', coalesce(sum(quantity) filter (where state = 'paid' and total_cents > 0), 0),
      'known', count_orders(of_event, network, browser, since)
    )
    from ticket_orders join ticket_order_lines on order_id = id
   where event_id = of_event and network_hash = network and created_at > since
  );
end $$;

-- As in 0035_plan_once.sql, which holds for a function until it is replaced.
alter function hold_seats(jsonb, jsonb, uuid[], text[], bigint, timestamptz) set plan_cache_mode = force_generic_plan;
