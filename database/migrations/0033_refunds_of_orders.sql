-- Staff refund ticket orders as they refund donations: a request is for one or the other.
alter table refund_requests
  alter column donation_id drop not null,
  add column ticket_order_id uuid references ticket_orders,
  -- The tickets that are cancelled when the refund is made; the order's others stay valid.
  add column ticket_ids uuid[] not null default '{}',
  add constraint refund_requests_one_subject check (num_nonnulls(donation_id, ticket_order_id) = 1),
  add constraint refund_requests_tickets_of_order check (donation_id is null or ticket_ids = '{}');
create unique index refund_requests_one_open_of_order on refund_requests (ticket_order_id) where decision is null;
create index refund_requests_of_order on refund_requests (ticket_order_id) where ticket_order_id is not null;

-- As in 0015_refund_requests.sql, for both.
create or replace function check_refund_request() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (
    (new.id, new.donation_id, new.ticket_order_id, new.ticket_ids, new.amount_cents, new.requested_by, new.requested_at,
     new.left_cents, new.limit_cents)
      is distinct from
    (old.id, old.donation_id, old.ticket_order_id, old.ticket_ids, old.amount_cents, old.requested_by, old.requested_at,
     old.left_cents, old.limit_cents)
    or (new.reason <> old.reason and new.reason <> '')
    or (old.decision is not null and (
      (new.decision, new.decided_by, new.decided_at, new.refund_id)
        is distinct from (old.decision, old.decided_by, old.decided_at, old.refund_id)
      or (new.decision_reason <> old.decision_reason and new.decision_reason <> '')))
  ) then
    raise exception 'a request for a refund is append only but for its decision' using errcode = 'insufficient_privilege';
  end if;
  if new.refund_id is not null and not exists (
    select from refunds join payment_attempts attempt on attempt.id = refunds.attempt_id
     where refunds.id = new.refund_id and refunds.amount_cents = new.amount_cents
       and (attempt.donation_id = new.donation_id or attempt.ticket_order_id = new.ticket_order_id)
  ) then
    raise exception 'refund % is not what request % asks for', new.refund_id, new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Staff find ticket orders by time, by event and by state. Orders whose buyer never sent a payment are not listed.
create index ticket_orders_by_time on ticket_orders (created_at, id) where email is not null;
create index ticket_orders_of_event_by_time on ticket_orders (event_id, created_at, id) where email is not null;
create index ticket_orders_by_rare_state on ticket_orders (state, created_at, id)
  where email is not null and state <> 'paid';
