-- Staff took it out of an account: it does not join one by itself again.
alter table donations add column stays_out_of_account boolean not null default false;

-- Everything that one address gave.
create index donations_of_email on donations (lower(email)) where email <> '';
