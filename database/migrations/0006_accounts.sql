-- Accounts: people with a password, their sessions, and the codes that let them set a new password.

create table users (
  id bigint generated always as identity primary key,
  email text not null,
  -- argon2id, in its own text form: parameters, salt and hash.
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  country text not null,
  state text not null,
  -- Digits alone, the country's dial code first.
  mobile text not null check (mobile ~ '^[0-9]{6,20}$'),
  postcode text not null,
  preferred_contact text not null check (preferred_contact in ('SMS', 'Email')),
  city text not null default '',
  -- Since when we know that letters to the address reach this person.
  email_verified_at timestamptz(3),
  created_at timestamptz(3) not null
);
create unique index users_by_email on users (lower(email));

create table sessions (
  -- SHA-256 of the token: who reads this table can log in as nobody.
  token_hash bytea primary key,
  -- Names the session in a person's own list.
  id uuid not null unique,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  -- Absolute; a session that is idle for too long ends before.
  expires_at timestamptz(3) not null,
  address text not null,
  device text not null
);
create index sessions_of_user on sessions (user_id, last_seen_at desc);
create index sessions_by_expiry on sessions (expires_at);

-- One open code a person; a new one replaces it.
create table reset_codes (
  user_id bigint primary key references users on delete cascade,
  code_hmac bytea not null,
  expires_at timestamptz(3) not null,
  tries_left integer not null check (tries_left >= 0)
);

-- A closed account leaves its donations on the books, without it.
alter table donations add column user_id bigint references users on delete set null;
create index donations_of_user on donations (user_id, created_at desc, id desc) where user_id is not null;
-- Gifts made as a guest, which join the account of whoever shows that the address is theirs.
create index donations_of_guest on donations (lower(email)) where user_id is null;
