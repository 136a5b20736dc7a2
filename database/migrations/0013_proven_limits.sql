-- Limits that block only what a request proves: its network address and its browser.

-- The browser that sent a payment, by the random id of its cookie.
alter table payment_attempts add column browser text;
create index payment_attempts_of_browser on payment_attempts (browser, sent_at) where browser is not null;

-- A hold is counted for its browser and its network address, of which only a keyed hash is kept.
alter table ticket_orders add column browser text, add column network text;
create index ticket_orders_of_browser on ticket_orders (event_id, browser) where state = 'held' and browser is not null;
create index ticket_orders_recent on ticket_orders (event_id, created_at);

-- While cards are guarded, payments need more proof; only what came since `guarded_from` counts then.
alter table card_breaker
  drop column pauses,
  drop column paused_until,
  add column guarded_from timestamptz(3),
  add column guarded_until timestamptz(3);

-- Several codes of one account may be valid at once, so that asking for another takes nobody's code away.
alter table reset_codes
  drop constraint reset_codes_pkey,
  drop column tries_left,
  add column is_used boolean not null default false,
  add primary key (user_id, code_hmac);
-- Those that were used had an expiry of their own.
update reset_codes set is_used = true where expires_at = 'epoch';
