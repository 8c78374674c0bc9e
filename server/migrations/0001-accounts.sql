-- People, their sessions and their password resets.

create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  username text not null,
  password_hash text not null,
  referral_code text not null,
  status text not null default 'active',
  created_at timestamptz not null default now(),
  constraint users_email_is_lower_case check (email = lower(email)),
  constraint users_email_unique unique (email),
  constraint users_referral_code_unique unique (referral_code),
  constraint users_status_known check (status in ('active', 'suspended'))
);

-- Only the SHA-256 of a bearer token is kept: a stolen copy of this table opens no session.
create table sessions (
  token_hash bytea primary key,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  address text not null,
  user_agent text not null,
  constraint sessions_id_unique unique (id),
  constraint sessions_token_hash_is_sha256 check (octet_length(token_hash) = 32),
  constraint sessions_expire_after_start check (expires_at > created_at)
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint password_resets_token_hash_is_sha256 check (octet_length(token_hash) = 32)
);
create index password_resets_by_user on password_resets (user_id);
