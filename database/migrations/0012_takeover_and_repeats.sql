-- Payments of a process that has died are taken over at once, and a donation that is sent twice is noticed.

-- The process that has a payment under way, by the number of the advisory lock that it holds as long as its connection to
-- the database stands. Null for one that holds none: then only the end of the lease takes the payment from it.
alter table payment_attempts add column owner integer;

-- Whose donation it is and what for, as a keyed digest: see features/donations/server/just-given.ts. The same again within
-- ten minutes is asked about.
alter table donations add column repeat_digest bytea;
create index donations_by_repeat_digest on donations (repeat_digest, created_at) where repeat_digest is not null;
