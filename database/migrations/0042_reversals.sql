-- Staff reverse a payment that the provider turns out not to have. It is requested and approved like a refund, but no
-- money moves.
alter table refund_requests add column is_reversal boolean not null default false;

-- As in 0033_refunds_of_orders.sql, and a reversal stays one.
create or replace function check_refund_request() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (
    (new.id, new.donation_id, new.ticket_order_id, new.ticket_ids, new.amount_cents, new.requested_by, new.requested_at,
     new.left_cents, new.limit_cents, new.is_reversal)
      is distinct from
    (old.id, old.donation_id, old.ticket_order_id, old.ticket_ids, old.amount_cents, old.requested_by, old.requested_at,
     old.left_cents, old.limit_cents, old.is_reversal)
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
       and (not new.is_reversal or refunds.kind = 'reversal')
       and (attempt.donation_id = new.donation_id or attempt.ticket_order_id = new.ticket_order_id)
  ) then
    raise exception 'refund % is not what request % asks for', new.refund_id, new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
