-- Operators with a role, a password and a second factor. Tokens made by command, and the password of
-- ADMIN_PASSWORD_HASH, belong to no operator and act as an owner: nobody is locked out by an upgrade.

create table operators (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  role text not null,
  password_hash text not null,
  -- Encrypted; asked for at sign-in once it was confirmed by a first code.
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  -- The time step of the last code that was taken: each code is taken once (RFC 6238, section 5.2).
  totp_last_step bigint,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  constraint operators_name_once unique (name),
  constraint operators_name_is_plain check (name ~ '^[a-z0-9][a-z0-9._@+-]{1,79}$'),
  constraint operators_role_known check (role in ('owner', 'support', 'moderator')),
  constraint operators_second_factor_has_secret
    check (totp_confirmed_at is null or totp_secret is not null)
);

create table operator_recovery_codes (
  operator_id uuid not null references operators on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  constraint operator_recovery_codes_pkey primary key (operator_id, code_hash),
  constraint operator_recovery_codes_hash_is_sha256 check (octet_length(code_hash) = 32)
);

alter table operator_keys
  add column id uuid not null default gen_random_uuid(),
  add column operator_id uuid references operators on delete cascade,
  add column address text not null default '',
  add column user_agent text not null default '';
create unique index operator_keys_by_id on operator_keys (id);
create index operator_keys_by_operator on operator_keys (operator_id);

-- What operators did: who, when, what about, before and after. A row is written before the act and
-- completed after it; one without an outcome belongs to an act that a crash cut off.
create table operator_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  operator_id uuid references operators on delete set null,
  operator_name text not null,
  act text not null,
  subject text not null,
  reason text not null default '',
  before jsonb,
  after jsonb,
  outcome text,
  constraint operator_log_outcome_known check (outcome in ('done', 'refused', 'failed'))
);
create index operator_log_by_subject on operator_log (subject, id);
