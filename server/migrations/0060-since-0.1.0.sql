-- What has changed since 0.1.0, in one step. A database that has taken these one by one is recognised:
-- replaces 0060-credits-owed.sql
-- replaces 0061-hold-celebrity.sql
-- replaces 0062-any-payment-provider.sql
-- replaces 0070-addresses-as-digests.sql
-- replaces 0071-signup-credits.sql
-- replaces 0090-operators-with-roles.sql
-- replaces 0091-site-settings.sql
-- replaces 0092-packages-of-the-operator.sql
-- replaces 0093-packages-proven.sql
-- replaces 0094-credit-what-it-is-worth.sql
-- replaces 0100-vouchers.sql
-- replaces 0101-voucher-reason.sql
-- replaces 0102-legal-pages.sql
-- replaces 0103-daily-figures.sql
-- replaces 0104-stars.sql
-- replaces 0130-stars-cut-out-as-jobs.sql
-- replaces 0131-worth-proven.sql
-- replaces 0132-operator-checks.sql
-- replaces 0133-request-notes.sql
-- replaces 0134-languages-of-people.sql
-- replaces 0135-languages-proven.sql
-- replaces 0150-company.sql
-- replaces 0160-background-photo.sql
-- replaces 0165-variations.sql
-- replaces 0175-figures-of-models.sql
-- replaces 0190-deleted-variations.sql
-- replaces 0195-likeness.sql
-- replaces 0196-likeness-proven.sql
-- replaces 0220-several-outputs.sql
-- replaces 0221-blocked-variations.sql
-- replaces 0222-composites.sql
-- replaces 0223-stage-percent.sql
-- replaces 0230-tight-stars.sql
-- replaces 0235-attempts-without-fetch-count.sql
-- replaces 0240-worth-of-standing-payments.sql
-- replaces 0241-settled-amounts-proven.sql
-- replaces 0250-holds-count-who-prepares.sql
-- replaces 0260-looks.sql
-- replaces 0270-attempts-without-composites.sql

-- A refunded purchase whose credits are no longer all there leaves the rest owing. The refund stands
-- in the books in full, so that credited - debited - held is `balance - owed`: of the two, one is
-- always zero.

alter table credit_accounts
  add column owed integer not null default 0,
  add constraint credit_accounts_owed_not_negative check (owed >= 0),
  add constraint credit_accounts_owed_only_on_user check (kind = 'user' or owed = 0),
  add constraint credit_accounts_owed_only_without_balance check (owed = 0 or balance = 0);

-- Whatever raises a balance (a release, an expiry, a grant, a correction) pays what is owed first.
create function pay_owed_first() returns trigger language plpgsql as $$
declare
  paid constant integer := least(new.balance, new.owed);
begin
  new.balance := new.balance - paid;
  new.owed := new.owed - paid;
  return new;
end
$$;

create trigger credit_accounts_pay_owed_first
  before update on credit_accounts
  for each row when (new.owed > 0 and new.balance > 0)
  execute function pay_owed_first();

-- Whom the selfie is with that a hold pays for; null where it pays for something else, and in holds of
-- the version before, whose description says it in a sentence.
alter table credit_holds add column celebrity text;

-- Which providers there are is the program's list; the database checks the form of their names and of
-- their ids. Payments under dispute are kept apart.

alter table orders
  drop constraint orders_provider_known,
  add constraint orders_provider_form check (provider ~ '^[a-z][a-z0-9_]{1,39}$');

alter table payments
  drop constraint payments_provider_known,
  add constraint payments_provider_form check (provider ~ '^[a-z][a-z0-9_]{1,39}$'),
  drop constraint payments_id_canonical,
  add constraint payments_id_form check (payment_id ~ '^[A-Za-z0-9_-]{1,100}$'),
  drop constraint payments_state_known,
  add constraint payments_state_known check (
    state in (
      'unread', 'waiting', 'processing', 'partial', 'finished', 'failed', 'refunded', 'expired',
      'disputed', 'unknown', 'missing'
    )
  );

-- Limits count addresses by keyed digests from now on. What was counted by a plain address is
-- deleted, so that no copy of this table is a list of addresses.
delete from rate_limits where key ~ '^(registration|sign-in-address|reset-address):';

-- Mailboxes that had their free credit, as keyed digests. They reference nobody: who deletes the
-- account and registers again has had the credit. They are forgotten after a year.
create table signup_credits (
  mailbox_hash bytea,
  granted_at timestamptz not null,
  constraint signup_credits_once_per_mailbox primary key (mailbox_hash),
  constraint signup_credits_mailbox_hash_is_hmac check (octet_length(mailbox_hash) = 32)
);
create index signup_credits_by_time on signup_credits (granted_at);

-- E-mails are kept in normalisation form C. Where several accounts become one that way, the others
-- stay as they are.
update users set email = written.composed
from (
  select distinct on (normalize(email, nfc)) id, normalize(email, nfc) as composed
  from users
  order by normalize(email, nfc), email is nfc normalized desc, created_at
) as written
where users.id = written.id and users.email <> written.composed;

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

-- What an operator has set, by key; what isn't here has its default. The value's form is the
-- program's to check: a version that doesn't know it goes by the default.

create table site_settings (
  key text primary key,
  value jsonb not null,
  -- The change that it comes from.
  version bigint not null
);

-- Every change, so that each can be told and undone. Null stands for the default.
create table site_setting_changes (
  version bigint generated always as identity primary key,
  key text not null,
  before jsonb,
  after jsonb,
  operator_name text not null,
  changed_at timestamptz not null
);
create index site_setting_changes_by_key on site_setting_changes (key, version);

-- Packages are the operator's now: their ids have a form, and price and credits of an order bounds.
-- Rows that are there fit; the next migration proves it without holding writers up.

alter table orders
  drop constraint orders_package_type_known,
  add constraint orders_package_type_form check (package_type ~ '^[a-z][a-z0-9_-]{1,29}$') not valid,
  add constraint orders_price_bounded check (price_cents between 50 and 1000000) not valid,
  add constraint orders_credits_bounded check (credits <= 100000) not valid;

-- An underpaid order may be credited with what its money is worth, once, in whole credits.

alter table orders
  -- Set when an order was credited with fewer credits than it was made for.
  add column credits_granted integer;

create or replace function keep_order_terms() returns trigger language plpgsql as $$
begin
  if new.id <> old.id
    or new.package_type <> old.package_type
    or new.price_cents <> old.price_cents
    or new.price_currency <> old.price_currency
    or new.credits <> old.credits
    or new.provider <> old.provider
    or new.created_at <> old.created_at
    or (new.user_id is not null and new.user_id is distinct from old.user_id) then
    raise exception 'the terms of order % are fixed', old.id
      using errcode = 'restrict_violation', constraint = 'orders_terms_are_fixed';
  end if;
  if old.credited_at is not null
    and (new.credited_at is distinct from old.credited_at
      or new.credits_granted is distinct from old.credits_granted) then
    raise exception 'order % is already credited', old.id
      using errcode = 'restrict_violation', constraint = 'orders_credited_once';
  end if;
  if old.reversed_at is not null and new.reversed_at is distinct from old.reversed_at then
    raise exception 'order % is already reversed', old.id
      using errcode = 'restrict_violation', constraint = 'orders_reversed_once';
  end if;
  return new;
end
$$;

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

-- What the operator makes of terms, privacy and imprint. A version holds the texts of all languages
-- as Markdown; published ones are never changed, as people agreed to them. Without any, the texts
-- hold that come with the program.

create table legal_page_versions (
  id bigint generated always as identity primary key,
  page text not null,
  texts jsonb not null,
  -- Of terms: whether people who agreed to an earlier version are asked again.
  asks_again boolean not null default false,
  saved_at timestamptz not null,
  saved_by text not null,
  -- Null while it is a draft.
  version text,
  published_at timestamptz,
  constraint legal_page_versions_page_known check (page in ('terms', 'privacy', 'imprint')),
  constraint legal_page_versions_published_whole
    check ((version is null) = (published_at is null)),
  constraint legal_page_versions_only_terms_ask check (page = 'terms' or not asks_again),
  constraint legal_page_versions_version_unique unique (page, version)
);
create unique index legal_page_versions_one_draft on legal_page_versions (page)
  where published_at is null;

create function keep_published_page() returns trigger language plpgsql as $$
begin
  if old.published_at is not null then
    raise exception 'version % of % is published and stays as it is', old.version, old.page
      using errcode = 'restrict_violation', constraint = 'legal_page_versions_published_is_final';
  end if;
  return coalesce(new, old);
end
$$;
create trigger legal_page_versions_published_is_final
  before update or delete on legal_page_versions
  for each row execute function keep_published_page();

-- What happened each day (UTC), kept as sums: reading them costs the same however many rows there are.
-- Triggers write each change beside the row that it belongs to, in its transaction, without a row that
-- two of them share; a job folds the changes into sums. A figure is always both together.

create table daily_figures (
  day date not null,
  figure text not null,
  -- What a figure is split by, such as a coin or a code; '' where it isn't.
  label text not null,
  amount bigint not null,
  constraint daily_figures_pkey primary key (day, figure, label)
);
create table daily_changes (
  id bigint generated always as identity primary key,
  day date not null,
  figure text not null,
  label text not null,
  amount bigint not null
);

create function note_daily(moment timestamptz, figure text, label text, amount bigint)
returns void language sql as $$
  insert into daily_changes (day, figure, label, amount)
  select (moment at time zone 'UTC')::date, figure, left(label, 120), amount where amount <> 0;
$$;

-- The time of a selfie by steps of a quarter: step n ends at 1.25^n seconds.
create function selfie_time_step(started timestamptz, finished timestamptz)
returns text immutable language sql as $$
  select ceil(ln(greatest(extract(epoch from finished - started), 0.1)) / ln(1.25))::integer::text;
$$;

create function note_finished_generation() returns trigger language plpgsql as $$
begin
  if new.state = 'done' then
    perform note_daily(new.finished_at, 'selfies',
      selfie_time_step(new.created_at, new.finished_at), 1);
  else
    perform note_daily(new.finished_at, 'failures', coalesce(new.error_code, ''), 1);
  end if;
  return null;
end
$$;
create trigger generations_noted after update of state on generations
  for each row when (old.state = 'running' and new.state <> 'running')
  execute function note_finished_generation();

create function note_new_user() returns trigger language plpgsql as $$
begin
  perform note_daily(new.created_at, 'people', '', 1);
  return null;
end
$$;
create trigger users_noted after insert on users
  for each row execute function note_new_user();

create function note_first_purchase() returns trigger language plpgsql as $$
begin
  perform note_daily(now(), 'first_purchases', '', 1);
  return null;
end
$$;
create trigger credit_accounts_noted after update of bought_total on credit_accounts
  for each row when (old.bought_total = 0 and new.bought_total > 0)
  execute function note_first_purchase();

create function note_order_money() returns trigger language plpgsql as $$
begin
  if old.credited_at is null and new.credited_at is not null then
    perform note_daily(new.credited_at, 'purchases', '', 1);
    perform note_daily(new.credited_at, 'revenue_cents', '', new.price_cents);
  end if;
  if old.reversed_at is null and new.reversed_at is not null then
    perform note_daily(new.reversed_at, 'refunds', '', 1);
    perform note_daily(new.reversed_at, 'refunded_cents', '', new.price_cents);
  end if;
  return null;
end
$$;
create trigger orders_noted after update of credited_at, reversed_at on orders
  for each row execute function note_order_money();

create function note_payment_coin() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.credited then
    return null;
  end if;
  perform note_daily(orders.credited_at, 'coin_cents', lower(coalesce(new.pay_currency, '?')),
    orders.price_cents)
  from orders where orders.id = new.order_id;
  return null;
end
$$;
-- Deferred, as the payment may be marked before its order in the same transaction.
create constraint trigger payments_noted after insert or update of credited on payments
  deferrable initially deferred
  for each row when (new.credited) execute function note_payment_coin();

create function note_model_cost() returns trigger language plpgsql as $$
declare
  added bigint := new.cost_micro_usd - case when tg_op = 'UPDATE' then old.cost_micro_usd else 0 end;
begin
  perform note_daily(new.created_at, 'model_cost_micro_usd', new.provider, added);
  perform note_daily(new.created_at, 'model_spend_micro_usd',
    new.provider || ':' || new.model, added);
  return null;
end
$$;
create trigger generation_attempts_noted
  after insert or update of cost_micro_usd on generation_attempts
  for each row execute function note_model_cost();

create function note_referral() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform note_daily(new.created_at, 'referrals', '', 1);
  end if;
  if new.bonus_granted and (tg_op = 'INSERT' or not old.bonus_granted) then
    perform note_daily(now(), 'referral_bonuses', '', 1);
  end if;
  return null;
end
$$;
create trigger referrals_noted after insert or update of bonus_granted on referrals
  for each row execute function note_referral();

create function note_redemption() returns trigger language plpgsql as $$
begin
  perform note_daily(new.redeemed_at, 'voucher_redemptions', '', 1);
  perform note_daily(new.redeemed_at, 'voucher_credits', '', new.credits);
  return null;
end
$$;
create trigger voucher_redemptions_noted after insert on voucher_redemptions
  for each row execute function note_redemption();

-- Counts the last hundred days anew, with writers kept out: here, and after rows were loaded without
-- triggers. Days that the tables themselves no longer tell, as of deleted people, are lost by it.
create function recount_daily_figures() returns void language sql as $$
  lock table users, credit_accounts, orders, payments, generations, generation_attempts, referrals,
    voucher_redemptions in share row exclusive mode;
  delete from daily_changes;
  delete from daily_figures where day > (now() at time zone 'UTC')::date - 100;
  insert into daily_figures (day, figure, label, amount)
  select (moment at time zone 'UTC')::date as on_day, figure, label, sum(amount)
  from (
    select finished_at as moment, 'selfies' as figure,
      selfie_time_step(created_at, finished_at) as label, 1 as amount
    from generations where state = 'done'
    union all
    select finished_at, 'failures', coalesce(error_code, ''), 1 from generations
      where state = 'failed'
    union all select created_at, 'people', '', 1 from users
    union all
    select min(created_at), 'first_purchases', '', 1 from ledger_entries
      where reason = 'purchase' group by credit_account_id
    union all select credited_at, 'purchases', '', 1 from orders where credited_at is not null
    union all
    select credited_at, 'revenue_cents', '', price_cents from orders where credited_at is not null
    union all select reversed_at, 'refunds', '', 1 from orders where reversed_at is not null
    union all
    select reversed_at, 'refunded_cents', '', price_cents from orders where reversed_at is not null
    union all
    select orders.credited_at, 'coin_cents', left(lower(coalesce(pay_currency, '?')), 40),
      price_cents
    from payments join orders on orders.id = payments.order_id where payments.credited
    union all
    select created_at, 'model_cost_micro_usd', left(provider, 40), cost_micro_usd
      from generation_attempts where cost_micro_usd > 0
    union all
    select created_at, 'model_spend_micro_usd', left(provider || ':' || model, 120), cost_micro_usd
      from generation_attempts where cost_micro_usd > 0
    union all
    select created_at, 'model_requests', left(provider || ':' || model, 120), 1
      from generation_attempts where state in ('succeeded', 'failed') and submitted_at is not null
    union all
    select created_at, 'model_failures', left(provider || ':' || model, 120), 1
      from generation_attempts where state = 'failed' and submitted_at is not null
    union all select created_at, 'referrals', '', 1 from referrals
    union all select created_at, 'referral_bonuses', '', 1 from referrals where bonus_granted
    union all select redeemed_at, 'voucher_redemptions', '', 1 from voucher_redemptions
    union all select redeemed_at, 'voucher_credits', '', credits from voucher_redemptions
  ) as noted
  where moment >= ((now() at time zone 'UTC')::date - 99)::timestamp at time zone 'UTC'
  group by on_day, figure, label;
$$;

-- Stars that the operator adds in the browser or by command; their pictures lie in the object store, so
-- that every node has them. The stars that come with the program stay files.

create table stars (
  -- Given to nobody else, also once the star is retired: selfies name it.
  id text primary key,
  name text not null,
  category text not null,
  -- What the star is known for, by language; null where nothing was written.
  line jsonb,
  licence text not null,
  attribution text not null,
  source text not null,
  -- Why the person's picture may be used, for the operator alone.
  consent_note text not null,
  ai_generated boolean not null default false,
  -- Folder of its objects below `stars/`: pictures are never changed under an address.
  object_folder uuid not null,
  sample_count integer not null default 0,
  -- draft: not offered yet; retired: not offered any more, for good.
  state text not null default 'draft',
  created_at timestamptz not null,
  created_by text not null,
  constraint stars_id_form check (id ~ '^[a-z0-9][a-z0-9-]{1,39}$'),
  constraint stars_state_known check (state in ('draft', 'published', 'retired')),
  constraint stars_rights_told check (
    name <> '' and licence <> '' and attribution <> '' and source <> '' and consent_note <> ''
  ),
  constraint stars_object_folder_unique unique (object_folder)
);

create function keep_retired_star() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.state = 'retired' and new.state <> 'retired') then
    raise exception 'star % is retired for good', old.id
      using errcode = 'restrict_violation', constraint = 'stars_retired_is_final';
  end if;
  return new;
end
$$;
create trigger stars_retired_is_final before update or delete on stars
  for each row execute function keep_retired_star();

-- Where a star stands and whether it is shown, of those that come with the program too.
create table star_places (
  star_id text primary key,
  -- Smaller ones stand in front.
  position integer not null,
  is_hidden boolean not null default false,
  constraint star_places_position_in_range check (position between 0 and 100000)
);

-- Cutting a star out is a job. Until it is done the star is 'cutting'; where its picture can't be used it
-- is 'failed', with the code of the reason. The version before offers neither.

alter table stars
  add column failure text,
  drop constraint stars_state_known,
  add constraint stars_state_known
    check (state in ('cutting', 'failed', 'draft', 'published', 'retired')),
  add constraint stars_failure_told check ((state = 'failed') <= (failure is not null));

-- What was last found of something that can't be looked at whenever a page is opened: a trial picture that a
-- vendor charges for, a backup that was made by command.

create table operator_checks (
  name text primary key,
  checked_at timestamptz not null,
  is_good boolean not null,
  -- For operators, in English.
  finding text not null,
  constraint operator_checks_finding_bounded check (length(finding) <= 2000)
);

-- Which person a request id belongs to, for the id that an answer carries: failed calls, and those that
-- begin a selfie or an order. Kept for thirty days.

create table request_notes (
  request_id uuid primary key,
  at timestamptz not null,
  user_id uuid references users (id) on delete cascade,
  -- As declared, such as `POST /api/orders`.
  call text not null,
  status smallint not null,
  -- Of the error table; null where the call was answered well.
  code text
);
create index request_notes_by_time on request_notes (at);
create index request_notes_by_user on request_notes (user_id) where user_id is not null;

-- The language of the interface that somebody registered or signed in with: their mails are written in it.

alter table users
  add column language text not null default 'en',
  add constraint users_language_form check (language ~ '^[a-z]{2,3}$') not valid;

-- Who else is in a selfie: further faces of the person's own photo, and a second star. All are null in
-- selfies of one face and one star, and in those of the version before.
alter table generations
  -- In the order in which the photo check lists the faces; user_face_index is the first of them.
  add column user_face_indexes integer[],
  add column second_preset_id text,
  add column second_star_face_index integer,
  add column second_star_photo_key text,
  add column second_star_photo_hash bigint,
  -- The names of both stars; celebrity says them in one text.
  add column star_names text[],
  add constraint generations_two_stars_at_most check (cardinality(star_names) = 2),
  add constraint generations_four_heads_at_most check (
    coalesce(cardinality(user_face_indexes), 1) + coalesce(cardinality(star_names), 1) <= 4
  ),
  add constraint generations_second_star_is_named check (
    star_names is not null or (
      second_preset_id is null and second_star_photo_key is null and second_star_photo_hash is null
    )
  );

-- A third photo: the place that a selfie is set in. None in selfies without one, and in those of the
-- version before.
alter table generations
  add column has_background_photo boolean not null default false,
  add column background_photo_key text,
  add column background_photo_hash bigint,
  add constraint generations_scene_or_background check (
    not has_background_photo or scene is null
  ),
  add constraint generations_background_has_hash check (
    has_background_photo = (background_photo_hash is not null)
    and (has_background_photo or background_photo_key is null)
  );

-- Each photo of a removed selfie is blocked: also the second star's, and that of the place.
alter table blocked_pictures
  drop constraint blocked_pictures_kind_known,
  add constraint blocked_pictures_kind_known check (kind in (
    'picture', 'user_photo', 'star_photo', 'second_star_photo', 'background_photo'
  ));

-- Several pictures for one credit: the arrangements that a generation has pictures of. The picture
-- that a generation is shown as is the variation whose keys stand in the generation too.
create table variations (
  id uuid not null default gen_random_uuid(),
  generation_id uuid not null,
  -- In the order in which they were made; the engine's best one is 0.
  position integer not null,
  source text not null,
  arrangement jsonb not null,
  -- Pictures of at most 512 pixels; null for one that was made at full size at once.
  clean_preview_key text,
  watermarked_preview_key text,
  -- At full size; null until then.
  clean_key text,
  watermarked_key text,
  clean_thumbnail_key text,
  watermarked_thumbnail_key text,
  -- Of the largest picture that there is.
  width_px integer not null,
  height_px integer not null,
  picture_hash bigint,
  created_at timestamp with time zone not null,
  constraint variations_pkey primary key (id),
  constraint variations_generation_id_fkey
    foreign key (generation_id) references generations (id) on delete cascade,
  constraint variations_position_unique unique (generation_id, position),
  constraint variations_position_not_negative check (position >= 0),
  constraint variations_source_known check (source in ('made', 'more', 'adjusted')),
  constraint variations_previews_in_both_forms check (
    num_nulls(clean_preview_key, watermarked_preview_key) in (0, 2)
  ),
  constraint variations_rendered_in_all_forms check (
    num_nulls(clean_key, watermarked_key, clean_thumbnail_key, watermarked_thumbnail_key) in (0, 4)
  ),
  constraint variations_have_a_picture check (
    clean_preview_key is not null or clean_key is not null
  )
);

-- What a picture can be adjusted with: cut-outs, background and measures, encrypted in the store.
-- Without its row, and so without its key, the object can't be read.
create table generation_layers (
  generation_id uuid not null,
  object_key text not null,
  encryption_key bytea not null,
  expires_at timestamp with time zone not null,
  more_made_at timestamp with time zone,
  constraint generation_layers_pkey primary key (generation_id),
  constraint generation_layers_generation_id_fkey
    foreign key (generation_id) references generations (id) on delete cascade,
  constraint generation_layers_key_of_256_bits check (octet_length(encryption_key) = 32)
);
create index generation_layers_by_expiry on generation_layers (expires_at);

-- What each image model costs, how often it was asked and how often that failed, by day (UTC): beside
-- the cost by provider that was kept before. A model's name may be longer than other labels.

-- Requests that were sent; one that was passed over says nothing of its model.
create function note_model_end() returns trigger language plpgsql as $$
begin
  perform note_daily(new.created_at, 'model_requests', new.provider || ':' || new.model, 1);
  if new.state = 'failed' then
    perform note_daily(new.created_at, 'model_failures', new.provider || ':' || new.model, 1);
  end if;
  return null;
end
$$;
create trigger generation_attempts_ended after update of state on generation_attempts
  for each row when (old.state not in ('succeeded', 'failed')
    and new.state in ('succeeded', 'failed') and new.submitted_at is not null)
  execute function note_model_end();

select recount_daily_figures();

-- A variation that its owner has deleted can be brought back for a while; then the sweep takes it.
alter table variations add column deleted_at timestamp with time zone;
create index variations_deleted on variations (deleted_at) where deleted_at is not null;

-- How alike the people of a hosted picture are to their photos, and once more after a stranger's face.

alter table generation_attempts
  -- Of the person who is least like their photo, 0 to 1; kept for 30 days. Null: not compared.
  add column likeness real,
  -- 1 where the same provider is asked once more, as its first picture showed a stranger.
  add column repetition smallint not null default 0,
  add constraint generation_attempts_likeness_in_range check (likeness between 0 and 1) not valid,
  add constraint generation_attempts_repetition_known check (repetition in (0, 1)) not valid,
  drop constraint generation_attempts_error_kind_known,
  add constraint generation_attempts_error_kind_known check (
    error_kind in (
      'policy_refused', 'bad_input', 'provider_busy', 'provider_down', 'timeout', 'likeness_lost',
      'unknown'
    )
  ) not valid,
  -- One request for each provider of one charge, and one more only after a stranger's face.
  drop constraint generation_attempts_one_per_maker,
  add constraint generation_attempts_one_per_repetition
    unique (generation_id, chain_position, repetition);
create index generation_attempts_likeness on generation_attempts (created_at)
  where likeness is not null;

-- An image model may give several pictures for one request: those behind the first one, which stands
-- where a node of the version before looks for it. Without that one they mean nothing.
alter table generation_attempts
  add column further_output_urls text[] not null default '{}',
  add column further_output_keys text[] not null default '{}',
  add constraint generation_attempts_outputs_at_most_four check (
    cardinality(further_output_urls) <= 3 and cardinality(further_output_keys) <= 3
  );
-- A picture of a hosted model has no arrangement that could be adjusted.
alter table variations alter column arrangement drop not null;

-- A picture that is taken down is blocked with all its variations, not only the one that it was shown as.
alter table blocked_pictures
  drop constraint blocked_pictures_once,
  add constraint blocked_pictures_once primary key (generation_id, kind, hash);

-- How far a running generation's stage is, where whoever works on it says so.
alter table generations
  add column stage_percent smallint not null default 0,
  add constraint generations_stage_percent_at_most_all check (stage_percent between 0 and 100);

-- Whether a star's photo ends so soon below the chin that no tall picture can be made of it: the studio
-- says so beforehand. Of stars that were cut out before nothing is said until such a picture is asked for.

alter table stars add column tight_crop boolean not null default false;

-- Nothing has read or written it, in the first release neither.
alter table generation_attempts drop column fetch_count;

-- What an order is worth follows from its payments as they were last read. It is stored nowhere, so
-- that no later reading can make it untrue.

alter table payments
  -- What of the paid amount is the shop's for good; the rest isn't confirmed yet.
  add column settled_amount numeric,
  -- What it is for, by the provider's word. Null until this version has read it: it is worth nothing
  -- before.
  add column price_minor_units bigint,
  add column price_currency text,
  add constraint payments_settled_amount_not_negative check (settled_amount >= 0) not valid,
  add constraint payments_price_has_currency
    check ((price_minor_units is null) = (price_currency is null)) not valid;

-- Only older versions read and write `missing_amount` and `missing_currency` any more. This version
-- credits an order without clearing them.
alter table orders drop constraint orders_nothing_missing_when_credited;

-- Several payments may add up to the price.
alter table orders
  add constraint orders_granted_within_order
    check (
      credits_granted is null
      or (credits_granted >= 1 and credits_granted <= credits and credited_at is not null)
    ) not valid;

-- What an underpaid order is credited with is at most what its payments brought: first deposits at its
-- price that the provider hasn't given back.
create function refuse_more_than_came() returns trigger language plpgsql as $$
declare
  share numeric;
begin
  select sum(least(settled_amount, paid_amount) / pay_amount) into share
  from payments
  where order_id = new.id
    and parent_payment_id is null
    and state in ('partial', 'finished')
    and pay_amount > 0
    and price_minor_units = new.price_cents
    and price_currency = new.price_currency;
  -- A millionth is what dividing rounds.
  if new.credits_granted > new.credits * coalesce(share, 0) + 0.000001 then
    raise exception 'the payments of order % are not worth % credits', new.id, new.credits_granted
      using errcode = 'restrict_violation', constraint = 'orders_granted_within_payments';
  end if;
  return null;
end
$$;
create trigger orders_granted_within_payments
  after update of credits_granted on orders
  for each row when (new.credits_granted is distinct from old.credits_granted)
  execute function refuse_more_than_came();

-- How many requests prepare a selfie that this hold shall pay for: one that is refused gives the hold
-- back only when no other does. What a crash leaves counted ends with the hold.
alter table credit_holds
  add column preparing_count integer not null default 0,
  add constraint credit_holds_preparing_count_not_negative check (preparing_count >= 0);

-- How the whole picture is developed, as it was wished for.
alter table generations add column look text not null default 'natural';
-- The same of a variation without an arrangement; of others the arrangement says it.
alter table variations
  add column look text,
  add constraint variations_look_or_arrangement check (look is null or arrangement is null);
update variations
  set arrangement = jsonb_set(
    arrangement,
    '{look}',
    case arrangement ->> 'look' when 'flash' then '"natural"'::jsonb else '"warm"'::jsonb end
  )
  where arrangement ->> 'look' in ('flash', 'warm-film');
