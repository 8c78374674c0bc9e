-- Terms, confirmed e-mails, known devices, and limits that all nodes share.

alter table users
  -- Which terms, with their minimum age of 18, the person agreed to by registering, and when.
  add column terms_version text,
  add column terms_at timestamptz,
  add column email_confirmed_at timestamptz,
  add constraint users_terms_have_time check ((terms_version is null) = (terms_at is null));

create table email_confirmations (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- The address that the link was sent to: it confirms no other.
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint email_confirmations_token_hash_is_sha256 check (octet_length(token_hash) = 32)
);
create index email_confirmations_by_user on email_confirmations (user_id);
create index email_confirmations_by_expiry on email_confirmations (expires_at);

-- Devices that a person has signed in from, as salted digests of a random cookie.
create table user_devices (
  user_id uuid not null references users (id) on delete cascade,
  device_hash bytea not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  constraint user_devices_known_once primary key (user_id, device_hash)
);

alter table referrals
  add column device_hash bytea,
  -- True while the bonus waits for the new user's e-mail to be confirmed.
  add column bonus_pending boolean not null default false,
  add constraint referrals_bonus_pending_or_granted check (not (bonus_pending and bonus_granted));
create index referrals_by_device on referrals (device_hash) where device_hash is not null;

-- Counters of the limits. Unlogged: after a crash of the database everybody starts afresh.
create unlogged table if not exists rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
