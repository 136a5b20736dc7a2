-- Each connection plans a statement of these functions once. By default it plans the first five runs of each, with that
-- run's values, although all find their rows by a key or write them; that is most of what a new connection's first
-- donations cost.
alter function record_donation(jsonb, text, jsonb, boolean) set plan_cache_mode = force_generic_plan;
alter function settle_donation(uuid, jsonb, jsonb, jsonb) set plan_cache_mode = force_generic_plan;
alter function hold_seats(jsonb, jsonb, uuid[], text[], bigint, timestamptz) set plan_cache_mode = force_generic_plan;
alter function record_ticket_payment(jsonb, text, jsonb, interval, interval)
  set plan_cache_mode = force_generic_plan;
alter function settle_ticket_order(uuid, jsonb, jsonb, jsonb) set plan_cache_mode = force_generic_plan;

-- As before, but a first receipt, which replaces none, runs no statement for that: PostgreSQL planned it each time.
create or replace function issue_receipt(of_donation uuid, content jsonb, at timestamptz, replaced bigint) returns bigint
language plpgsql as $$
declare
  issued bigint;
  digits text;
begin
  if replaced is not null then
    update receipts set is_latest = false where number = replaced;
  end if;
  update receipt_counter set last_number = last_number + 1 returning last_number into issued;
  digits := lpad(issued::text, greatest(length(issued::text), 6), '0');
  insert into receipts (number, donation_id, data, issued_at, replaces)
  values (issued, of_donation, content || jsonb_build_object('number', 'R-' || digits), at, replaced);
  return issued;
end $$;
