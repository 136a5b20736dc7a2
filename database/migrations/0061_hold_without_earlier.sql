-- expand
-- As in 0056_waiting_list.sql, but a hold that replaces none looks for none. On a young database a connection plans that
-- while there are few holds, and then reads all of the event's until the next `analyze`, with the seats locked.
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
  if cardinality(instead) > 0 then
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
  end if;
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
