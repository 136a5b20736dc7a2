-- The messages of the contact form as an inbox: open until somebody has answered, or marked it as spam.
alter table contact_messages
  add column state text not null default 'open' check (state in ('open', 'answered', 'spam')),
  -- Null while it is open.
  add column closed_at timestamptz(3),
  add column closed_by bigint references staff on delete set null,
  add constraint contact_messages_closed check ((state = 'open') = (closed_at is null)),
  add constraint contact_messages_closed_by check (closed_by is null or closed_at is not null);
create index contact_messages_inbox on contact_messages (state, created_at desc, id desc);
create index contact_messages_closed_by on contact_messages (closed_by) where closed_by is not null;
-- Also of those who were logged in: a person's page lists what one address wrote.
drop index contact_messages_of_guest;
create index contact_messages_of_email on contact_messages (lower(email), created_at desc);
