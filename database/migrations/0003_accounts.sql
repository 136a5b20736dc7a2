-- People with an account, their sessions, and how they prove who they are.

create table users (
  id bigint generated always as identity primary key,
  email text not null,
  -- argon2id in its own text form: parameters, salt and hash.
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  country text not null,
  state text not null,
  city text not null default '',
  postcode text not null,
  -- Digits alone, beginning with the country's dial code.
  mobile text not null check (mobile ~ '^[0-9]{6,20}$'),
  preferred_contact text not null check (preferred_contact in ('SMS', 'Email')),
  -- Since when the address is known to reach this person.
  email_verified_at timestamptz(3),
  created_at timestamptz(3) not null
);
create unique index users_by_email on users (lower(email));

create table sessions (
  -- SHA-256 of the token, so that nobody can log in with what this table holds.
  token_hash bytea primary key,
  -- Identifies the session in a person's own list.
  id uuid not null unique,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  -- Absolute. A session that is idle for too long ends earlier.
  expires_at timestamptz(3) not null,
  ip_address text not null,
  -- What the browser calls itself.
  device text not null
);
create index sessions_of_user on sessions (user_id, last_seen_at desc);
create index sessions_by_expiry on sessions (expires_at);

-- Codes for setting a new password. Several may be valid at once, so that requesting another invalidates nobody's code.
create table reset_codes (
  user_id bigint references users on delete cascade,
  code_hmac bytea not null,
  expires_at timestamptz(3) not null,
  is_used boolean not null default false,
  primary key (user_id, code_hmac)
);
create index reset_codes_by_expiry on reset_codes (expires_at);

create table passkeys (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  -- How browsers and devices identify the passkey: base64url.
  credential_id text not null unique,
  -- COSE.
  public_key bytea not null,
  -- How the device identifies the account: base64url, no personal data.
  user_handle text not null,
  -- How often the device has signed. Passkeys that are synced between devices always say 0.
  counter bigint not null check (counter >= 0),
  -- The browser's hints on how to reach the device.
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  -- Since when it is refused because a copy of it may exist.
  blocked_at timestamptz(3)
);
create index passkeys_of_user on passkeys (user_id, created_at);

-- Challenges are signed, not stored. One that was answered is kept here until it expires, so that it works only once.
create table used_passkey_challenges (
  challenge text primary key,
  expires_at timestamptz(3) not null
);
