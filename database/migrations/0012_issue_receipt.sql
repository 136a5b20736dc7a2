-- Issues a receipt with the next number, which it also says, instead of the replaced one, if any. Every other receipt
-- waits for the counter until the transaction ends, so that numbers have no gaps.
create function issue_receipt(of_donation uuid, content jsonb, at timestamptz, replaced bigint) returns bigint
language sql as $$
  update receipts set is_latest = false where number = replaced;
  with counter as (
    update receipt_counter set last_number = last_number + 1 returning last_number, last_number::text as digits
  )
  insert into receipts (number, donation_id, data, issued_at, replaces)
  select last_number, of_donation,
         content || jsonb_build_object('number', 'R-' || lpad(digits, greatest(length(digits), 6), '0')), at, replaced
    from counter
  returning number
$$;
