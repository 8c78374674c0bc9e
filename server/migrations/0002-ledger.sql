-- The books: double entry, append-only, whole credits.
--
-- An entry moves `amount` credits from the debited account to the credited one, so the books sum
-- to zero by construction. A user's cached balance is: credited - debited - held.
-- System accounts carry no cached balance, so that no row that two users share is ever updated.

create table credit_accounts (
  id bigint generated always as identity primary key,
  kind text not null,
  -- The system account's name; null for a user's.
  name text,
  -- Null for a system account, and for the account of a person who was deleted.
  user_id uuid references users (id) on delete set null,
  balance integer,
  -- Credits ever bought: above zero is the premium tier, for good.
  bought_total integer not null default 0,
  created_at timestamptz not null default now(),
  constraint credit_accounts_kind_known check (kind in ('user', 'system')),
  constraint credit_accounts_name_only_on_system check ((kind = 'system') = (name is not null)),
  constraint credit_accounts_user_only_on_user check (kind = 'user' or user_id is null),
  constraint credit_accounts_balance_only_on_user check ((kind = 'user') = (balance is not null)),
  constraint credit_accounts_balance_not_negative check (balance >= 0),
  constraint credit_accounts_bought_total_not_negative check (bought_total >= 0),
  constraint credit_accounts_name_unique unique (name),
  constraint credit_accounts_user_unique unique (user_id)
);

insert into credit_accounts (kind, name)
values
  ('system', 'signup'),
  ('system', 'referral'),
  ('system', 'purchase'),
  ('system', 'usage'),
  ('system', 'correction');

create table ledger_entries (
  id bigint generated always as identity primary key,
  -- Brought by the caller: a repeated act is recognised by it and changes nothing.
  reference text not null,
  reason text not null,
  debit_account_id bigint not null references credit_accounts (id),
  credit_account_id bigint not null references credit_accounts (id),
  amount integer not null,
  description text not null default '',
  created_at timestamptz not null default now(),
  constraint ledger_entries_reference_unique unique (reference),
  constraint ledger_entries_reason_known
    check (reason in ('signup', 'referral', 'purchase', 'usage', 'correction')),
  constraint ledger_entries_amount_positive check (amount > 0),
  constraint ledger_entries_accounts_differ check (debit_account_id <> credit_account_id)
);
create index ledger_entries_by_debit_account on ledger_entries (debit_account_id, id desc);
create index ledger_entries_by_credit_account on ledger_entries (credit_account_id, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: correct an entry by another entry', tg_table_name
    using errcode = 'restrict_violation', constraint = tg_table_name || '_append_only';
end
$$;

create trigger ledger_entries_append_only
  before update or delete on ledger_entries
  for each row execute function refuse_change();
create trigger ledger_entries_never_truncated
  before truncate on ledger_entries
  for each statement execute function refuse_change();

-- A hold keeps credits aside until it is captured, released or expires.
create table credit_holds (
  id uuid primary key default gen_random_uuid(),
  account_id bigint not null references credit_accounts (id),
  amount integer not null,
  state text not null default 'held',
  -- Brought by the caller, unique within the account.
  reference text not null,
  description text not null,
  -- What the hold pays for, once something has claimed it.
  attached_to text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  settled_at timestamptz,
  constraint credit_holds_reference_unique unique (account_id, reference),
  constraint credit_holds_attached_to_unique unique (attached_to),
  constraint credit_holds_amount_positive check (amount > 0),
  constraint credit_holds_state_known check (state in ('held', 'captured', 'released', 'expired')),
  constraint credit_holds_settled_unless_held check ((state = 'held') = (settled_at is null)),
  constraint credit_holds_expire_after_start check (expires_at > created_at)
);
create index credit_holds_open_by_account on credit_holds (account_id) where state = 'held';
create index credit_holds_open_by_expiry on credit_holds (expires_at) where state = 'held';
create index credit_holds_by_account on credit_holds (account_id, created_at desc);

create function keep_settled_hold() returns trigger language plpgsql as $$
begin
  if old.state <> 'held' then
    raise exception 'hold % is already %', old.id, old.state
      using errcode = 'restrict_violation', constraint = 'credit_holds_settled_is_final';
  end if;
  if new.amount <> old.amount or new.account_id <> old.account_id then
    raise exception 'the amount and the account of hold % are fixed', old.id
      using errcode = 'restrict_violation', constraint = 'credit_holds_amount_is_fixed';
  end if;
  return new;
end
$$;

create trigger credit_holds_settled_is_final
  before update on credit_holds
  for each row execute function keep_settled_hold();
create trigger credit_holds_never_deleted
  before delete on credit_holds
  for each row execute function refuse_change();
