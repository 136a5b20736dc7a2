select gen_random_uuid() as donation, gen_random_uuid() as attempt, gen_random_uuid() as posting, encode(sha256(random()::text::bytea), 'hex') as random \gset
begin;
insert into payment_attempts (id, donation_id, provider, order_reference, idempotency_key, client_key, request_hash, instrument_hash, instrument, amount_cents, currency, state, lease_until, sent_at, customer_ip_address, created_at) values (:attempt, :donation, 'payway', upper(left(:random::text, 20)), gen_random_uuid(), :random, sha256(:random::text::bytea), sha256((:random::text || 'i')::bytea), :random, 10658, 'AUD', 'submitting', now(), now(), '203.0.113.1', now());
insert into payment_events (attempt_id, to_state, event, actor, at) values (:attempt, 'submitting', 'submission_started', 'request', now());
insert into captcha_uses (nonce, used_at) values (:random, now());
insert into donations (id, reference, first_name, last_name, email, postcode, method, subtotal_cents, admin_fee_cents, merchant_fee_cents, total_cents, created_at) values (:donation, :random, 'Amina', 'Raza', 'amina@example.com', '2144', 'cc', 10000, 500, 158, 10658, now());
insert into donation_lines (donation_id, position, category_id, fund, category_title, receipt_kind, quantity, unit_cents, line_cents, admin_share_cents, merchant_share_cents) select :donation::uuid, 0, id, fund, title, receipt_kind, 1, 10000, 10000, 500, 158 from donation_categories where fund = 'zakat';
commit;
begin;
update payment_attempts set state = 'succeeded', state_version = 2, lease_until = null, instrument = null, settled_at = now(), provider_transaction_id = :random, provider_status = 'approved', response_code = '08' where id = :attempt and state = 'submitting' and state_version = 1;
insert into payment_events (attempt_id, from_state, to_state, event, actor, at) values (:attempt, 'submitting', 'succeeded', 'charge_approved', 'request', now());
insert into ledger_entries (transaction_id, attempt_id, account, amount_cents, at) values (:posting, :attempt, 'receivable-payway', 10658, now()), (:posting, :attempt, 'donations-zakat', -10000, now()), (:posting, :attempt, 'fees-admin', -500, now()), (:posting, :attempt, 'fees-merchant', -158, now());
insert into pgboss.job (name, data) values ('emails', '{"template": "receipt"}');
insert into pgboss.job (name, data) values ('emails', '{"template": "new-donation"}');
with counter as (update receipt_counter set last_number = last_number + 1 returning last_number) insert into receipts (number, donation_id, data, issued_at) select last_number, :donation::uuid, '{"number": "R-000000", "totalCents": 10658}', now() from counter;
commit;
