-- The people who run the charity from the back office, how they prove who they are, and what they did.

create table staff (
  id bigint generated always as identity primary key,
  email text not null,
  name text not null,
  -- src/admin/rights.ts says what each may do. They add up.
  roles text[] not null check (cardinality(roles) > 0),
  state text not null check (state in ('invited', 'active', 'ended')),
  -- The second way in, for devices without passkeys: both, or neither.
  password_hash text,
  -- Encrypted with the site's secret key.
  totp_secret bytea,
  -- The time step of the last code that was accepted, so that a code works once.
  totp_step bigint,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  check ((password_hash is null) = (totp_secret is null)),
  check ((state = 'ended') = (ended_at is not null))
);
create unique index staff_by_email on staff (lower(email));

-- One link that sets up, or sets up again, how somebody proves who they are.
create table staff_invitations (
  token_hash bytea primary key,
  staff_id bigint not null references staff,
  -- `demo` opens a session by itself, on demonstration sites alone.
  kind text not null check (kind in ('invitation', 'reset', 'demo')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index staff_invitations_of_staff on staff_invitations (staff_id);
create index staff_invitations_by_expiry on staff_invitations (expires_at);

create table staff_passkeys (
  id uuid primary key,
  staff_id bigint not null references staff,
  credential_id text not null unique,
  -- COSE.
  public_key bytea not null,
  user_handle text not null,
  -- How often the device has signed. Passkeys that are synced between devices always say 0.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  -- Since when it is refused because a copy of it may exist.
  blocked_at timestamptz(3)
);
create index staff_passkeys_of_staff on staff_passkeys (staff_id, created_at);

create table staff_recovery_codes (
  staff_id bigint not null references staff,
  code_hmac bytea not null,
  used_at timestamptz(3),
  primary key (staff_id, code_hmac)
);

create table staff_sessions (
  -- SHA-256 of the token.
  token_hash bytea primary key,
  -- Identifies the session in a person's own list.
  id uuid not null unique,
  staff_id bigint not null references staff,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  -- Absolute. A session that is idle for too long ends earlier.
  expires_at timestamptz(3) not null,
  -- When the person last proved who they are: refunds, exports and roles ask again after ten minutes.
  proved_at timestamptz(3) not null,
  ip_address text not null,
  device text not null
);
create index staff_sessions_of_staff on staff_sessions (staff_id, last_seen_at desc);
create index staff_sessions_by_expiry on staff_sessions (expires_at);

-- Written in the transaction of the change itself. Whoever has left keeps their name on what they did.
create table audit_trail (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null,
  -- Null for the site itself, and for commands run on the server.
  staff_id bigint references staff,
  actor text not null,
  -- Empty for commands.
  ip_address text not null,
  -- 'refund.request', 'staff.invite': src/features/staff/audit-words.ts has the words for each.
  verb text not null,
  -- 'donation', 'staff', 'refund', 'export', with its id; empty if the act has none.
  subject text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  reason text not null default ''
);
create index audit_trail_of_subject on audit_trail (subject, subject_id, id);
create index audit_trail_of_staff on audit_trail (staff_id, id);
create trigger audit_trail_append_only before update or delete on audit_trail
  for each row execute function refuse_change();
create trigger audit_trail_no_truncate before truncate on audit_trail
  for each statement execute function refuse_change();
revoke update, delete, truncate on audit_trail from current_user;
