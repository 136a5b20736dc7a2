-- expand
-- Emails that staff write to the holders of an event's tickets. Each waits for ten minutes, in which it can be stopped.
create table holder_emails (
  -- Made by the server when the form is shown, so that a form that is sent twice is one email.
  id uuid primary key,
  event_id bigint not null references events,
  kind text not null check (kind in ('reminder', 'news', 'thanks')),
  subject text not null,
  body text not null,
  -- Only to orders of which somebody came in at the door.
  only_came boolean not null,
  written_by bigint not null references staff,
  written_at timestamptz(3) not null,
  goes_at timestamptz(3) not null,
  stopped_by bigint references staff,
  stopped_at timestamptz(3),
  -- When its emails were handed over, and how many they are.
  sent_at timestamptz(3),
  people integer,
  check ((stopped_at is null) = (stopped_by is null)),
  check ((sent_at is null) = (people is null)),
  check (stopped_at is null or sent_at is null)
);
create index holder_emails_of_event on holder_emails (event_id, written_at);
create index holder_emails_due on holder_emails (goes_at) where sent_at is null and stopped_at is null;
