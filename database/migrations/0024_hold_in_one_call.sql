-- Holding seats is one call too: one message, and no lock waits for another message.

-- Makes holds for an event run one at a time for each network address and each browser.
create function lock_holder(of_event bigint, network text, browser text) returns void language plpgsql as $$
begin
  -- Always in this order, to avoid deadlocks.
  perform pg_advisory_xact_lock(hashtextextended('hold ' || of_event || ' network ' || network, 0));
  if browser is not null then
    perform pg_advisory_xact_lock(hashtextextended('hold ' || of_event || ' ' || browser, 0));
  end if;
end $$;

drop index ticket_orders_of_browser;
create index ticket_orders_of_browser on ticket_orders (event_id, browser_id, created_at) where browser_id is not null;
create index ticket_orders_of_network on ticket_orders (event_id, network_hash, created_at)
  where network_hash is not null;

-- Orders for an event that a network address and a browser have made since then; one by both counts twice. While there
-- are no others, what they hold is what it was. Stable, and so of the same moment as the query that calls it.
create function count_orders(of_event bigint, network text, browser text, since timestamptz) returns bigint
language sql stable as $$
  select (select count(*) from ticket_orders
           where event_id = of_event and network_hash = network and created_at > since)
       + (select count(*) from ticket_orders
           where event_id = of_event and browser_id = browser and created_at > since)
$$;

-- What decides about a hold, besides the event: the `earlier` lines that it replaces, which are those of the browser's
-- hold and of the order `named`, unless that is being paid for; what became of the address's holds since then; and how
-- many orders are `known`.
create function see_holds(
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
        filter (where state in ('held', 'lapsed')), 0),
      'liveSeats', coalesce(sum(quantity) filter (where state = 'held' and hold_until > at), 0),
      'paidSeats', coalesce(sum(quantity) filter (where state = 'paid'), 0),
      'known', count_orders(of_event, network, browser, since)
    )
    from ticket_orders join ticket_order_lines on order_id = id
   where event_id = of_event and network_hash = network and created_at > since
  );
end $$;

-- Writes an order with its lines, and takes its seats as take_seats does: all or nothing. Its terms were decided while
-- its address and browser had made `known` orders since `since`. Raises AL006 if there are others by now, and AL007 if
-- there is an order with this client_key.
create function hold_seats(
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
     created_at)
  values
    (own.id, own.reference, own.event_id, own.client_key, own.request_hash, 'held', own.hold_until, own.browser_id,
     own.network_hash, own.total_cents, own.created_at)
  on conflict (client_key) do nothing;
  if not found then
    raise exception 'there is an order with this key' using errcode = 'AL007';
  end if;
  insert into ticket_order_lines (order_id, type_id, quantity, title, price_cents)
  select own.id, type_id, quantity, title, price_cents from jsonb_populate_recordset(null::ticket_order_lines, lines);
  -- Last: everybody who wants a seat of the event waits for its types until this transaction ends.
  perform take_seats(own.event_id, array_agg(type_id), array_agg(quantity), instead, undecided, own.created_at)
     from ticket_order_lines where order_id = own.id;
end $$;
