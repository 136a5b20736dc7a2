-- expand
-- What staff took in person for each ticket of a line, so that everybody reads what they give back for cancelled ones.
alter table ticket_order_lines add column taken_cents bigint not null default 0;
alter table ticket_order_lines add check (taken_cents >= 0) not valid;

-- Until now only the sum of an order was kept. If a price has changed since, it is divided in proportion to the prices
-- of today.
with sold as (
  select o.id, o.taken_cents, sum(line.quantity) as tickets, sum(line.quantity * type.price_cents) as cents
    from ticket_orders o
    join ticket_order_lines line on line.order_id = o.id
    join ticket_types type on type.id = line.type_id
   where o.taken_cents > 0
   group by o.id
)
update ticket_order_lines line
   set taken_cents = coalesce(trunc(type.price_cents * sold.taken_cents / nullif(sold.cents, 0)),
                              trunc(sold.taken_cents / sold.tickets))
  from sold, ticket_types type
 where line.order_id = sold.id and type.id = line.type_id;

-- As in 0051_tickets_by_staff.sql, but a line has what was taken for each of its tickets. The version before does not
-- say it: then it is the type's price.
create or replace function sell_by_staff(bought jsonb, lines jsonb, emails jsonb) returns void language plpgsql as $$
declare
  own ticket_orders := jsonb_populate_record(null::ticket_orders, bought);
begin
  insert into ticket_orders
    (id, reference, event_id, client_key, request_hash, state, hold_until, total_cents, email, first_name, last_name,
     country, created_at, paid_at, paid_by, sold_by, taken_cents)
  values
    (own.id, own.reference, own.event_id, own.client_key, own.request_hash, 'held', own.created_at, 0, own.email,
     own.first_name, own.last_name, own.country, own.created_at, own.created_at, 'staff', own.sold_by, own.taken_cents)
  on conflict (client_key) do nothing;
  if not found then
    raise exception 'there is an order with this key' using errcode = 'AL007';
  end if;
  insert into ticket_order_lines (order_id, type_id, quantity, title, price_cents, taken_cents)
  select own.id, line.type_id, line.quantity, line.title, 0,
         case when own.taken_cents = 0 then 0 else coalesce(line.taken_cents, type.price_cents) end
    from jsonb_populate_recordset(null::ticket_order_lines, lines) line
    join ticket_types type on type.id = line.type_id;
  perform lock_seats(own.event_id);
  if sales_are_stopped(own.event_id) then
    raise exception 'the sales of this event are stopped' using errcode = 'AL009';
  end if;
  update ticket_orders set state = 'paid' where id = own.id;
  if not (select move_seats(own.event_id, array_agg(type_id), array_agg(0), array_agg(quantity), own.created_at)
            from ticket_order_lines where order_id = own.id)
  then
    raise exception 'the seats are unavailable' using errcode = 'AL001', detail = (
      select json_object_agg(id, greatest(0, capacity - sold - held)) from ticket_types where event_id = own.event_id
    );
  end if;
  perform issue_tickets(own.id);
  perform send_jobs('emails', emails);
end $$;
