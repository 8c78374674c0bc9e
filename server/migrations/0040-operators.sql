-- Keys of the operator's pages: tokens made by command, and the sessions that they open. Only the
-- SHA-256 of a key is kept. Users' sessions live elsewhere and open nothing here.

create table operator_keys (
  token_hash bytea primary key,
  kind text not null,
  -- Whose it is, as the command was told.
  name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint operator_keys_token_hash_is_sha256 check (octet_length(token_hash) = 32),
  constraint operator_keys_kind_known check (kind in ('token', 'session')),
  constraint operator_keys_expire_after_start check (expires_at > created_at)
);
create index operator_keys_by_expiry on operator_keys (expires_at);
