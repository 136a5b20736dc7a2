-- Calling off an event: one person asks, another approves. Sales stop when it is asked for. Once it is approved, everybody
-- gets their money back. At the end: telling ticket holders that an event has another time or place.

create table call_off_requests (
  -- Made by the server when the form is shown, so that a form that is sent twice is one request.
  id uuid primary key,
  event_id bigint not null references events,
  -- Why, as the email to the buyers says it.
  reason text not null check (reason <> ''),
  requested_by bigint not null references staff,
  requested_at timestamptz(3) not null,
  -- Null while it waits.
  decision text check (decision in ('approved', 'declined', 'withdrawn')),
  decided_by bigint references staff,
  decided_at timestamptz(3),
  decision_reason text not null default '',
  -- When the last paid order was cancelled. None becomes paid any more.
  finished_at timestamptz(3),
  check ((decision is null) = (decided_by is null) and (decision is null) = (decided_at is null)),
  check (decision is not null or decision_reason = ''),
  check (finished_at is null or decision = 'approved'),
  constraint call_off_requests_two_people
    check (decision is null or decision = 'withdrawn' or decided_by <> requested_by),
  constraint call_off_requests_own check (decision is distinct from 'withdrawn' or decided_by = requested_by)
);
create unique index call_off_requests_one on call_off_requests (event_id)
  where decision is null or decision = 'approved';
create index call_off_requests_of_event on call_off_requests (event_id, requested_at);
create index call_off_requests_unfinished on call_off_requests (decided_at)
  where decision = 'approved' and finished_at is null;

-- Only the decision and the end are written later, each once.
create function check_call_off_request() returns trigger language plpgsql as $$
begin
  if (new.id, new.event_id, new.reason, new.requested_by, new.requested_at)
      is distinct from (old.id, old.event_id, old.reason, old.requested_by, old.requested_at)
    or (old.decision is not null and (new.decision, new.decided_by, new.decided_at, new.decision_reason)
      is distinct from (old.decision, old.decided_by, old.decided_at, old.decision_reason))
    or (old.finished_at is not null and new.finished_at is distinct from old.finished_at)
  then
    raise exception 'a request to call off an event is append only but for its decision and its end'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger call_off_requests_append_only before update on call_off_requests
  for each row execute function check_call_off_request();
create trigger call_off_requests_no_delete before delete on call_off_requests
  for each row execute function refuse_change();
create trigger call_off_requests_no_truncate before truncate on call_off_requests
  for each statement execute function refuse_change();
revoke delete, truncate on call_off_requests from current_user;
-- Cached pages show whether an event's tickets are on sale.
create trigger call_off_requests_changed after insert or update on call_off_requests
  for each statement execute function bump_content_version();

alter table events add column called_off_at timestamptz(3);
-- Calling an event off is no change of what staff wrote about it.
drop trigger events_touched on events;
create trigger events_touched before update on events for each row
  when (new.called_off_at is not distinct from old.called_off_at) execute function touch_updated_at();

-- Set when an order is cancelled, or its late payment refused, because its event was called off.
alter table ticket_orders
  add column called_off_at timestamptz(3),
  add check (called_off_at is null or state in ('cancelled', 'refunded'));
create index ticket_orders_called_off on ticket_orders (event_id) where called_off_at is not null;

-- Whether no seats of an event may be held, paid or booked: somebody asked to call it off, or it is called off. Whoever
-- holds or books has locked the event's types, as does whoever asks.
create function sales_are_stopped(of_event bigint) returns boolean language sql stable as $$
  select exists (
    select from call_off_requests where event_id = of_event and (decision is null or decision = 'approved')
  )
$$;

-- As in 0039_ticket_sales.sql. Raises AL009 if the event's sales are stopped.
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
  if sales_are_stopped(own.event_id) then
    raise exception 'the sales of this event are stopped' using errcode = 'AL009';
  end if;
  -- Its own uses count already.
  if not has_uses(own.discount_id, 0, own.event_id, own.created_at) then
    raise exception 'the code has too few uses left' using errcode = 'AL008', detail = (
      select greatest(0, most_uses - count_uses(id)
        + (select sum(discounted) from ticket_order_lines where order_id = own.id))
        from discount_codes where id = own.discount_id
    );
  end if;
end $$;

-- As in 0019_one_call_subjects.sql; the detail of AL005 may also be `sales_stopped`.
create or replace function record_ticket_payment(
  payment jsonb, captcha text, buyer jsonb, paying interval, longest interval
) returns setof payment_attempts language plpgsql as $$
declare
  recorded payment_attempts;
  held ticket_orders;
begin
  select * into recorded from record_payment(payment);
  if not found then return; end if;
  perform spend_captcha(captcha, recorded.created_at);
  select * into held from ticket_orders where id = recorded.ticket_order_id for no key update;
  if held.state not in ('held', 'lapsed') then
    raise exception 'the order is closed' using errcode = 'AL005', detail = 'order_closed';
  end if;
  if sales_are_stopped(held.event_id) then
    raise exception 'the sales of this event are stopped' using errcode = 'AL005', detail = 'sales_stopped';
  end if;
  if held.state = 'lapsed' or held.hold_until <= recorded.created_at then
    raise exception 'the order holds no seats any more' using errcode = 'AL005', detail = 'hold_lapsed';
  end if;
  update ticket_orders as own
     set (email, first_name, last_name, country, phone, address, postcode, suburb, user_id)
       = (select email, first_name, last_name, country, phone, address, postcode, suburb, user_id
            from jsonb_populate_record(own, buyer)),
         hold_until = greatest(hold_until, least(recorded.created_at + paying, created_at + longest))
   where id = held.id;
  return next recorded;
end $$;

-- As in 0039_ticket_sales.sql. 'called_off': the event is called off, so the payment is given back.
create or replace function sell_seats(of_order uuid, payment uuid, at timestamptz) returns text language plpgsql as $$
declare
  own ticket_orders;
  event bigint;
  is_called_off boolean;
  is_sold boolean;
begin
  select event_id into event from ticket_orders where id = of_order;
  perform lock_seats(event);
  select * into own from ticket_orders where id = of_order for no key update;
  if own.state not in ('held', 'lapsed') then return 'closed'; end if;
  select called_off_at is not null into is_called_off from events where id = event;
  if is_called_off then
    if own.state = 'held' then
      perform move_seats(event, array_agg(type_id), array_agg(-quantity), array_agg(0), at)
         from ticket_order_lines where order_id = of_order;
    end if;
    update ticket_orders set state = 'refunded', paid_at = at, paid_attempt_id = payment, called_off_at = at
     where id = of_order;
    return 'called_off';
  end if;
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

-- As in 0039_ticket_sales.sql; the detail of AL005 may also be `sales_stopped`.
create or replace function settle_free_order(of_order uuid, paid jsonb, emails jsonb, at timestamptz) returns void
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
  if sales_are_stopped(event) then
    raise exception 'the sales of this event are stopped' using errcode = 'AL005', detail = 'sales_stopped';
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

-- As in 0035_plan_once.sql, which holds for a function until it is replaced.
alter function hold_seats(jsonb, jsonb, uuid[], text[], bigint, timestamptz) set plan_cache_mode = force_generic_plan;
alter function record_ticket_payment(jsonb, text, jsonb, interval, interval)
  set plan_cache_mode = force_generic_plan;

-- The time and place that an event had before another was published, while tickets were sold. Staff then tell the
-- holders, once.
create table event_move_emails (
  -- Made by the server when the form is shown, so that a form that is sent twice is one email.
  id uuid primary key,
  event_id bigint not null references events,
  -- What staff add; "" for nothing.
  note text not null,
  sent_by bigint not null references staff,
  sent_at timestamptz(3) not null
);
create index event_move_emails_of_event on event_move_emails (event_id);

create table event_moves (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  moved_at timestamptz(3) not null default now(),
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  time_zone text not null,
  is_all_day boolean not null,
  place text not null,
  is_online boolean not null,
  -- Null until the holders are told.
  email_id uuid references event_move_emails
);
create index event_moves_of_event on event_moves (event_id, id);

create function note_event_move() returns trigger language plpgsql as $$
begin
  if exists (select from ticket_orders where event_id = new.id and state = 'paid') then
    insert into event_moves (event_id, starts_at, ends_at, time_zone, is_all_day, place, is_online)
    values (old.id, old.starts_at, old.ends_at, old.time_zone, old.is_all_day, old.place, old.is_online);
  end if;
  return null;
end $$;
create trigger events_moved after update on events for each row
  when ((new.starts_at, new.ends_at, new.time_zone, new.is_all_day, new.place, new.is_online)
    is distinct from (old.starts_at, old.ends_at, old.time_zone, old.is_all_day, old.place, old.is_online))
  execute function note_event_move();
