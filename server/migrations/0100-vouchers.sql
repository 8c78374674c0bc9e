-- Vouchers: codes for credits that the operator gives away. A batch has the rules, its vouchers the
-- codes; a redemption books its credits from the account `vouchers`.

insert into credit_accounts (kind, name) values ('system', 'vouchers');
insert into ledger_totals (reason) values ('voucher');

-- The next migration validates it, so that writers needn't wait while all entries are read.
alter table ledger_entries
  drop constraint ledger_entries_reason_known,
  add constraint ledger_entries_reason_known
    check (reason in ('signup', 'referral', 'purchase', 'usage', 'correction', 'voucher'))
    not valid;

create table voucher_batches (
  id uuid primary key,
  -- For the operator alone.
  name text not null,
  -- Whole credits of one redemption.
  credits integer not null,
  -- How often each code may be redeemed.
  uses_max integer not null,
  -- How often one mailbox may redeem codes of this batch.
  person_uses_max integer not null,
  codes integer not null,
  starts_at timestamptz,
  ends_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  voided_at timestamptz,
  constraint voucher_batches_name_not_empty check (name <> ''),
  constraint voucher_batches_credits_in_range check (credits between 1 and 10000),
  constraint voucher_batches_uses_in_range check (uses_max between 1 and 1000000),
  constraint voucher_batches_person_uses_in_range check (person_uses_max between 1 and 1000),
  constraint voucher_batches_codes_in_range check (codes between 1 and 1000),
  constraint voucher_batches_end_after_start check (ends_at > starts_at),
  -- What a redemption refers to, so that it can't be for more than its batch allows.
  constraint voucher_batches_rules_unique unique (id, credits, uses_max, person_uses_max)
);
create index voucher_batches_by_time on voucher_batches (created_at desc);

create table vouchers (
  id bigint generated always as identity primary key,
  batch_id uuid not null references voucher_batches (id),
  -- Its place in the batch, from 1: how it is named once its code is no longer known.
  number integer not null,
  -- HMAC of the code: who reads this table can redeem nothing.
  code_hash bytea not null,
  voided_at timestamptz,
  constraint vouchers_code_hash_is_hmac check (octet_length(code_hash) = 32),
  constraint vouchers_code_unique unique (code_hash),
  constraint vouchers_number_unique unique (batch_id, number),
  constraint vouchers_number_positive check (number > 0),
  constraint vouchers_batch_unique unique (id, batch_id)
);

create table voucher_redemptions (
  id uuid primary key,
  voucher_id bigint not null,
  batch_id uuid not null,
  credits integer not null,
  uses_max integer not null,
  person_uses_max integer not null,
  -- The how manieth redemption of the code and, of all codes of the batch, of the mailbox.
  use_number integer not null,
  person_use_number integer not null,
  -- Null once the account was deleted.
  user_id uuid references users (id) on delete set null,
  -- The mailbox as a keyed digest: who registers anew is still the same person. Forgotten after a year.
  mailbox_hash bytea,
  idempotency_key text,
  redeemed_at timestamptz not null,
  constraint voucher_redemptions_of_voucher
    foreign key (voucher_id, batch_id) references vouchers (id, batch_id),
  constraint voucher_redemptions_by_rules
    foreign key (batch_id, credits, uses_max, person_uses_max)
    references voucher_batches (id, credits, uses_max, person_uses_max),
  constraint voucher_redemptions_use_allowed check (use_number between 1 and uses_max),
  constraint voucher_redemptions_use_unique unique (voucher_id, use_number),
  constraint voucher_redemptions_person_use_allowed
    check (person_use_number between 1 and person_uses_max),
  constraint voucher_redemptions_person_use_unique
    unique (batch_id, mailbox_hash, person_use_number),
  constraint voucher_redemptions_repeat_unique unique (user_id, idempotency_key),
  constraint voucher_redemptions_mailbox_hash_is_hmac check (octet_length(mailbox_hash) = 32)
);
create index voucher_redemptions_remembered on voucher_redemptions (redeemed_at)
  where mailbox_hash is not null;

-- Redemptions are counted by batch as other rows are by state.
create function tally_voucher_redemption() returns trigger language plpgsql as $$
begin
  insert into tally_changes (subject, provider, state, change)
  values ('voucher_redemptions', new.batch_id::text, 'redeemed', 1);
  return null;
end
$$;
create trigger voucher_redemptions_tallied after insert on voucher_redemptions
  for each row execute function tally_voucher_redemption();

create or replace function recount_tallies() returns void language sql as $$
  lock table users, orders, payments, credit_holds, voucher_redemptions
    in share row exclusive mode;
  delete from tally_changes;
  delete from tallies;
  insert into tallies (subject, provider, state, count)
  select 'users', '', status, count(*) from users group by status
  union all
  select 'orders', provider, status, count(*) from orders group by provider, status
  union all
  select 'payments', provider, state, count(*) from payments group by provider, state
  union all
  select 'credit_holds', '', state, count(*) from credit_holds
    where state in ('released', 'expired') group by state
  union all
  select 'voucher_redemptions', batch_id::text, 'redeemed', count(*) from voucher_redemptions
    group by batch_id;
$$;
