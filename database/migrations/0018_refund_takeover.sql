-- Refunds of a process that has died are taken over at once, as payments are.

-- The process that sends the refund, as in payment_attempts.owner. Null for one that holds no lock: then only the end of the
-- lease takes the refund from it.
alter table refunds add column owner integer;
