-- Everybody who wants a seat of an event waits for the locks on its ticket types. What takes them is the last statement of
-- its transaction and comes together with the commit, so that nobody waits for a message on its way.

drop function take_seats(bigint, bigint[], integer[], timestamptz);

-- Takes the seats of a hold, and gives up those that `instead` names, unless they are being paid for. Where seats are unavailable
-- it raises AL001, which undoes the hold; the detail says what is left of each type of the event: {"<id>": seats}.
create function take_seats(of_event bigint, types bigint[], quantities integer[], instead uuid[], undecided text[], at timestamptz)
returns void language plpgsql as $$
declare
  freed_types bigint[];
  freed integer[];
  is_held boolean;
begin
  perform lock_seats(of_event);
  with given_up as (
    update ticket_orders set state = 'lapsed', hold_until = least(hold_until, at)
     where id = any(instead) and state = 'held'
       and not exists (select from payment_attempts where ticket_order_id = ticket_orders.id and state::text = any(undecided))
    returning id
  )
  select array_agg(type_id), array_agg(-quantity) into freed_types, freed
    from ticket_order_lines where order_id in (select id from given_up);
  select move_seats(of_event, array_agg(id), array_agg(more), array_agg(0), at) into is_held
    from (select id, sum(more)::integer as more
            from unnest(types || freed_types, quantities || freed) as change (id, more) group by id) as changes;
  if not is_held then
    raise exception 'the seats are unavailable' using errcode = 'AL001', detail = (
      select json_object_agg(id, greatest(0, capacity - sold - held)) from ticket_types where event_id = of_event
    );
  end if;
end $$;

-- Sells the seats of an order to its payment. Where none are left, or another payment has settled the order, it raises AL002,
-- which undoes the transaction; `sell_seats` says which of them it is, and writes it down.
create function sell_seats_or_refuse(of_order uuid, payment uuid, at timestamptz) returns void language plpgsql as $$
begin
  if sell_seats(of_order, payment, at) <> 'paid' then
    raise exception 'the seats cannot be sold to this payment' using errcode = 'AL002';
  end if;
end $$;
