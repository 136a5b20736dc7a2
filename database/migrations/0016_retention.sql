-- How long personal data is kept: what a closed account leaves behind, and what the retention job looks for. The periods
-- are in the code (src/app/holdings.ts lists them), so that the job, the privacy policy and the tests read one table.

-- Since when the account that made it is closed: its personal data is then kept no longer than the law or the person needs it.
alter table donations add column account_closed_at timestamptz(3);
alter table ticket_orders add column account_closed_at timestamptz(3);

-- Who was logged in when it was sent. It is theirs to download, and is erased with the account.
alter table ticket_orders add column user_id bigint references users on delete set null;
alter table contact_messages add column user_id bigint references users on delete set null;
alter table volunteer_applications add column user_id bigint references users on delete set null;
create index ticket_orders_of_user on ticket_orders (user_id) where user_id is not null;
create index contact_messages_of_user on contact_messages (user_id) where user_id is not null;
create index volunteer_applications_of_user on volunteer_applications (user_id) where user_id is not null;
create index contact_messages_of_guest on contact_messages (lower(email)) where user_id is null;
create index volunteer_applications_of_guest on volunteer_applications (lower(email)) where user_id is null;

-- A receipt that has lost its names, seven years after it was issued. Number, amounts and days stay.
alter table receipts add column erased_at timestamptz(3);

-- An application that is kept for a verified check alone.
alter table volunteer_applications add column erased_at timestamptz(3);
alter table volunteer_events drop constraint volunteer_events_application_id_fkey,
  add foreign key (application_id) references volunteer_applications on delete cascade;
alter table working_with_children_checks drop constraint working_with_children_checks_application_id_fkey,
  add foreign key (application_id) references volunteer_applications on delete cascade;

-- The history of an application goes with it, and only with it.
create function refuse_change_of_history() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (
    select from volunteer_applications where id = old.application_id and erased_at is null
  ) then
    return old;
  end if;
  raise exception '% is append only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
drop trigger volunteer_events_append_only on volunteer_events;
create trigger volunteer_events_append_only before update or delete on volunteer_events
  for each row execute function refuse_change_of_history();
grant delete on volunteer_events to current_user;

-- What the job looks for, oldest first. An empty value has been erased.
create index donations_of_closed_accounts on donations (account_closed_at) where account_closed_at is not null and email <> '';
create index donations_with_donor on donations (created_at) where email <> '';
create index donations_with_digest on donations (created_at) where repeat_digest is not null;
create index donation_lines_with_names on donation_lines (donation_id) where on_behalf_of <> '{}';
create index receipts_with_names on receipts (issued_at) where erased_at is null;
create index payment_attempts_with_address on payment_attempts (created_at) where customer_address <> '' or browser is not null;
create index payment_attempts_unpaid_with_address on payment_attempts (created_at)
  where state in ('failed', 'cancelled', 'not_found') and customer_address <> '';
create index ticket_orders_of_closed_accounts on ticket_orders (account_closed_at)
  where account_closed_at is not null and email <> '';
create index ticket_orders_with_buyer on ticket_orders (event_id) where email <> '';
create index ticket_orders_with_holder on ticket_orders (created_at) where browser is not null or network is not null;
create index reset_codes_by_expiry on reset_codes (expires_at);
create index mailbox_messages_by_age on mailbox_messages (sent_at);
create index volunteer_applications_closed on volunteer_applications (decided_at) where stage in ('declined', 'withdrawn');
create index volunteer_applications_undecided on volunteer_applications (updated_at)
  where stage in ('received', 'in_review', 'waiting');

-- The privacy policy shows the table itself. What staff have written since stays.
update pages set html = replace(replace(
  regexp_replace(html, '<table>\s*?<thead><tr><th scope="col">Where</th>.*?</table>', '{retention}'),
  'download what we hold and close the account on <a href="/profile">your profile</a>.',
  'download what we hold and close the account on <a href="/profile">your profile</a>. The download has your details, log-ins, donations, receipts, tickets, messages and applications: what you sent while you were logged in, and what was sent with an email address that you have confirmed. When you close your account, what the table above allows is erased at once, and the rest when its time is over.'),
  'To stop abuse the site counts requests',
  'When something is kept long enough, the site erases it by itself, within about an hour. Copies in our backups last until those backups are deleted. To stop abuse the site counts requests')
where type = 'privacy';
