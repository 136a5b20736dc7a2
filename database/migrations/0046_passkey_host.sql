-- The host that a passkey of staff belongs to: it works nowhere else. Null if it was made before this was noted, until
-- it is used.
alter table staff_passkeys add column host text;
