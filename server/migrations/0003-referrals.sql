-- Who registered with whose code. The figure 'Friends referred' counts these rows.

create table referrals (
  -- A person is referred once.
  referred_user_id uuid primary key references users (id) on delete cascade,
  referrer_user_id uuid references users (id) on delete set null,
  code text not null,
  -- Salted hash of the new user's network address block, to limit farming.
  address_hash bytea not null,
  bonus_granted boolean not null,
  created_at timestamptz not null default now(),
  constraint referrals_not_of_oneself check (referred_user_id <> referrer_user_id)
);
create index referrals_by_referrer on referrals (referrer_user_id, created_at);
create index referrals_by_address on referrals (address_hash, created_at);
