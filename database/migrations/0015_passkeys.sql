-- Passkeys: what a member's devices sign log-ins with, beside the password.

create table passkeys (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  -- By which browsers and devices name it: base64url.
  credential_id text not null unique,
  -- COSE.
  public_key bytea not null,
  -- By which the device names the account: base64url, no personal data.
  user_handle text not null,
  -- How often the device has signed; passkeys that are synced between devices always say 0.
  counter bigint not null check (counter >= 0),
  -- How the device can be reached, as its browser said: a hint for it alone.
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  -- Since when it is refused, because a copy of it may exist.
  blocked_at timestamptz(3)
);
create index passkeys_of_user on passkeys (user_id, created_at);

-- Challenges are signed, not kept. One that was answered stands here until its time is over, so that it works once.
create table used_passkey_challenges (
  challenge text primary key,
  expires_at timestamptz(3) not null
);
