-- What a donation and a ticket order add to the two calls of 0018_one_call.sql.

-- A donation with its lines, of which the database refuses any that do not sum to its figures.
create function insert_donation(donation jsonb) returns void language sql as $$
  insert into donations
    (id, reference, is_anonymous, first_name, last_name, email, postcode, method, subtotal_cents, admin_fee_cents,
     merchant_fee_cents, total_cents, user_id, repeat_digest, created_at)
  select id, reference, is_anonymous, first_name, last_name, email, postcode, method, subtotal_cents, admin_fee_cents,
         merchant_fee_cents, total_cents, user_id, repeat_digest, created_at
    from jsonb_populate_record(null::donations, donation);
  insert into donation_lines
    (donation_id, position, category_id, subcategory_id, fund, category_title, subcategory_title, receipt_kind,
     quantity, unit_cents, line_cents, admin_share_cents, merchant_share_cents, on_behalf_of)
  select donation_id, position, category_id, subcategory_id, fund, category_title, subcategory_title, receipt_kind,
         quantity, unit_cents, line_cents, admin_share_cents, merchant_share_cents, on_behalf_of
    from jsonb_populate_recordset(null::donation_lines, donation -> 'lines');
$$;

-- Raises AL004 if the same was given within the ten minutes before, and is paid or under way; the detail is that
-- payment. Those who give the same at the same time wait here for each other to commit.
create function refuse_repeat(digest bytea, at timestamptz, is_repeat boolean) returns void language plpgsql as $$
declare
  earlier uuid;
begin
  perform pg_advisory_xact_lock(('x' || encode(substring(digest for 8), 'hex'))::bit(64)::bigint);
  if is_repeat then return; end if;
  select attempt.id into earlier
    from donations join payment_attempts attempt on attempt.donation_id = donations.id
   where donations.repeat_digest = digest and donations.created_at > at - interval '10 minutes'
     and attempt.state not in ('failed', 'cancelled', 'not_found', 'refunded')
   order by donations.created_at desc limit 1;
  if found then
    raise exception 'the same donation was just given' using errcode = 'AL004', detail = earlier;
  end if;
end $$;

-- Transaction 1 of a donation: the payment, the use of its captcha, and what is given. All or nothing.
create function record_donation(payment jsonb, captcha text, donation jsonb, is_repeat boolean)
returns setof payment_attempts language plpgsql as $$
declare
  recorded payment_attempts;
  digest bytea := donation ->> 'repeat_digest';
begin
  select * into recorded from record_payment(payment);
  if not found then return; end if;
  perform spend_captcha(captcha, recorded.created_at);
  if digest is not null then
    perform refuse_repeat(digest, recorded.created_at, is_repeat);
  end if;
  perform insert_donation(donation);
  return next recorded;
end $$;

-- The credits of a donation: to each fund what its lines give, and each fee. With the receivable they sum to zero.
create function donation_credits(of_donation uuid) returns jsonb language sql stable as $$
  select jsonb_agg(jsonb_build_object('account', account, 'cents', -cents))
    from (select 'donations:' || fund, sum(line_cents) from donation_lines where donation_id = of_donation group by fund
          union all
          select 'fees:admin', admin_fee_cents from donations where id = of_donation
          union all
          select 'fees:merchant', merchant_fee_cents from donations where id = of_donation
         ) as credit (account, cents)
$$;

-- A donation as receipts and emails show it, before any refund. The day is that of the charge: we may only find out
-- about it, and settle it, on a later day.
create function describe_donation(of_donation uuid, charged_at timestamptz) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'donorName', case when is_anonymous then null else first_name || ' ' || last_name end,
    'lines', (
      select jsonb_agg(jsonb_build_object(
               'title', concat_ws(': ', category_title, nullif(subcategory_title, '')),
               'kind', receipt_kind,
               'quantity', quantity,
               'unitCents', unit_cents,
               'lineCents', line_cents,
               'refundedCents', 0,
               'onBehalfOf', on_behalf_of
             ) order by position)
        from donation_lines where donation_id = of_donation
    ),
    'subtotalCents', subtotal_cents,
    'adminFeeCents', admin_fee_cents,
    'merchantFeeCents', merchant_fee_cents,
    'totalCents', total_cents,
    'currency', currency,
    'method', method,
    'paidOn', (charged_at at time zone 'Australia/Sydney')::date,
    'reference', reference,
    'refundedCents', 0,
    'refunds', '[]'::jsonb
  ) from donations where id = of_donation
$$;

-- Transaction 2 of a donation that is paid: the move, the ledger, the emails, and the receipt. `receipt` is what the
-- receipt says besides the donation; null while the organisation's details are incomplete.
create function settle_donation(of_donation uuid, move jsonb, emails jsonb, receipt jsonb)
returns setof payment_attempts language plpgsql as $$
declare
  settled payment_attempts;
begin
  select * into settled from settle_payment(move, donation_credits(of_donation));
  if not found then return; end if;
  perform send_jobs('emails', emails);
  if receipt is null then
    update donations set awaits_receipt = true where id = of_donation;
  else
    -- Last: every other receipt waits for the counter until this transaction ends.
    perform issue_receipt(
      of_donation, describe_donation(of_donation, settled.sent_at) || receipt, settled.settled_at, null
    );
  end if;
  return next settled;
end $$;

-- Transaction 1 of a ticket order's payment: the payment, the use of its captcha, and the buyer, on an order that still
-- holds its seats: longer from now on, `paying` more from now, but at most `longest` after it was made. Raises AL005 if
-- it holds none; the detail is `order_closed` or `hold_lapsed`. All or nothing.
create function record_ticket_payment(payment jsonb, captcha text, buyer jsonb, paying interval, longest interval)
returns setof payment_attempts language plpgsql as $$
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

-- A ticket for each seat of an order, in the buyer's name. Nobody can guess a serial. None where another payment has
-- issued them, perhaps at this moment: the order's seats are not sold to this one then.
create function issue_tickets(of_order uuid) returns void language sql as $$
  insert into tickets (id, order_id, type_id, position, holder_name, serial)
  select gen_random_uuid(), of_order, line.type_id, row_number() over (order by line.type_id),
         bought.first_name || ' ' || bought.last_name, substring(sha256(uuid_send(gen_random_uuid())) for 8)
    from ticket_orders bought
    join ticket_order_lines line on line.order_id = bought.id
   cross join generate_series(1, line.quantity)
   where bought.id = of_order
  on conflict (order_id, position) do nothing
$$;

-- Transaction 2 of a ticket order that is paid: the move, the ledger, the tickets, their email, and the seats. Raises
-- AL002, which undoes all of it, where the seats cannot be sold.
create function settle_ticket_order(of_order uuid, move jsonb, credits jsonb, emails jsonb)
returns setof payment_attempts language plpgsql as $$
declare
  settled payment_attempts;
begin
  select * into settled from settle_payment(move, credits);
  if not found then return; end if;
  perform issue_tickets(of_order);
  perform send_jobs('emails', emails);
  -- Last: everybody who wants a seat of the event waits for its types until this transaction ends.
  perform sell_seats_or_refuse(of_order, settled.id, settled.settled_at);
  return next settled;
end $$;
