-- Orders that staff make: complimentary tickets, and tickets that are paid at the door. For the payment providers they
-- cost nothing; `taken_cents` is what staff took themselves.
alter table ticket_orders
  drop constraint ticket_orders_paid_by_check,
  add check (paid_by in ('online', 'free', 'staff')),
  add column sold_by bigint references staff,
  add column taken_cents bigint not null default 0 check (taken_cents >= 0),
  add check ((paid_by = 'staff') = (sold_by is not null)),
  add check (paid_by <> 'staff' or total_cents = 0),
  add check (paid_by = 'staff' or taken_cents = 0);
create index ticket_orders_by_staff on ticket_orders (event_id, created_at) where sold_by is not null;

-- Sells seats to an order of staff, with its tickets and its email, all or nothing. `bought` and `lines` have the columns
-- of their tables. Raises AL001 if seats are unavailable (the detail says how many are left of each type), AL007 if there
-- is an order with this key, AL009 if the event's sales are stopped.
create function sell_by_staff(bought jsonb, lines jsonb, emails jsonb) returns void language plpgsql as $$
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
  insert into ticket_order_lines (order_id, type_id, quantity, title, price_cents)
  select own.id, type_id, quantity, title, 0 from jsonb_populate_recordset(null::ticket_order_lines, lines);
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
