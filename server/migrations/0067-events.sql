-- Events: guests without accounts of their own make selfies for credits of the event's budget, which is
-- an account of the books; everything of theirs is deleted on a day that the event names.

-- What operators move into budgets comes from here, and what is left goes back.
insert into credit_accounts (kind, name) values ('system', 'events');
insert into ledger_totals (reason) values ('event');

-- The next migration validates what is added to filled tables, so that writers needn't wait for it.
alter table ledger_entries
  drop constraint ledger_entries_reason_known,
  add constraint ledger_entries_reason_known
    check (reason in ('signup', 'referral', 'purchase', 'usage', 'correction', 'voucher', 'event'))
    not valid;
alter table credit_accounts
  -- Of a guest whose event pays for pictures without the brand mark.
  add column is_unmarked boolean not null default false,
  drop constraint credit_accounts_kind_known,
  add constraint credit_accounts_kind_known check (kind in ('user', 'event', 'system')) not valid,
  drop constraint credit_accounts_balance_only_on_user,
  add constraint credit_accounts_balance_unless_system
    check ((kind = 'system') = (balance is null)) not valid;

create table events (
  id uuid primary key default gen_random_uuid(),
  -- Its address below /e/.
  name text not null,
  title text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Days after its end until everything of its guests is deleted.
  deletion_days integer not null,
  languages text[] not null,
  -- Words of consent by language.
  consent jsonb not null,
  consent_version text not null,
  star_ids text[] not null,
  scenes text[] not null,
  background_key text,
  frame_key text,
  selfies_per_guest integer not null,
  -- How its guests may have prints; none: it prints nothing.
  print_formats text[] not null,
  has_wall boolean not null,
  -- The budget.
  account_id bigint not null references credit_accounts (id),
  has_brand_mark boolean not null,
  created_at timestamptz not null,
  created_by text not null,
  -- When that was done.
  deleted_at timestamptz,
  constraint events_name_form check (name ~ '^[a-z0-9][a-z0-9-]{1,39}$'),
  constraint events_title_not_empty check (title <> ''),
  constraint events_end_after_start check (ends_at > starts_at),
  constraint events_deletion_days_in_range check (deletion_days between 0 and 90),
  constraint events_selfies_per_guest_in_range check (selfies_per_guest between 1 and 20),
  constraint events_print_formats_known check (print_formats <@ array['10x15', 'strip', 'square']),
  constraint events_something_to_choose
    check (cardinality(languages) > 0 and cardinality(star_ids) > 0
      and (cardinality(scenes) > 0 or background_key is not null)),
  constraint events_account_unique unique (account_id)
);
-- The address is free again once all is deleted.
create unique index events_name_unique on events (name) where deleted_at is null;

-- Links by which kiosk, moderators and attendants open their page, each in one browser.
create table event_links (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references events (id) on delete cascade,
  role text not null,
  key_hash bytea not null,
  made_at timestamptz not null,
  made_by text not null,
  -- Of the cookie that the browser was given for the key, which is used up by it.
  token_hash bytea,
  opened_at timestamptz,
  constraint event_links_role_known check (role in ('kiosk', 'moderator', 'attendant')),
  constraint event_links_key_unique unique (key_hash),
  constraint event_links_token_unique unique (token_hash),
  constraint event_links_hashes_are_sha256
    check (octet_length(key_hash) = 32 and octet_length(token_hash) = 32),
  constraint event_links_opened_whole check ((token_hash is null) = (opened_at is null))
);
create index event_links_by_event on event_links (event_id);

-- Set while somebody is a guest: an account that nobody signs in to.
-- Deferred, as an event's account refers to users: a backup fills one table after the other.
alter table users add column guest_of uuid references events (id) deferrable initially deferred;
create index users_by_event on users (guest_of) where guest_of is not null;

create table event_guests (
  user_id uuid primary key references users (id) on delete cascade,
  event_id uuid not null references events (id) on delete cascade,
  kiosk_id uuid references event_links (id) on delete set null,
  consent_version text not null,
  joined_at timestamptz not null,
  -- When credits that are left go back to the budget.
  credits_until timestamptz not null,
  hand_over_hash bytea,
  hand_over_until timestamptz,
  -- When the guest made an account of it.
  kept_at timestamptz,
  constraint event_guests_hand_over_unique unique (hand_over_hash),
  constraint event_guests_hand_over_whole check ((hand_over_hash is null) = (hand_over_until is null))
);
create index event_guests_by_event on event_guests (event_id, joined_at);

-- Selfies whose guest has asked for the wall.
create table event_selfies (
  generation_id uuid primary key references generations (id) on delete cascade,
  event_id uuid not null references events (id) on delete cascade,
  wall text not null,
  asked_at timestamptz not null,
  constraint event_selfies_wall_known check (wall in ('private', 'asked', 'approved', 'hidden'))
);
create index event_selfies_by_event on event_selfies (event_id, asked_at desc);

create table event_prints (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references events (id) on delete cascade,
  generation_id uuid not null references generations (id) on delete cascade,
  -- Of the event, from 1.
  number integer not null,
  format text not null,
  created_at timestamptz not null,
  printed_at timestamptz,
  constraint event_prints_format_known check (format in ('10x15', 'strip', 'square')),
  constraint event_prints_once unique (generation_id, format),
  constraint event_prints_number_unique unique (event_id, number)
);

-- What stays of an event: how many, of nobody.
create table event_counts (
  event_id uuid not null references events (id) on delete cascade,
  hour timestamptz not null,
  star text not null,
  scene text not null,
  selfies integer not null,
  prints integer not null,
  primary key (event_id, hour, star, scene)
);

-- Guests are no new people, until they make an account of it.
drop trigger users_noted on users;
create trigger users_noted after insert on users
  for each row when (new.guest_of is null) execute function note_new_user();
create trigger users_kept after update of guest_of on users
  for each row when (old.guest_of is not null and new.guest_of is null)
  execute function note_new_user();
create or replace function recount_daily_figures() returns void language sql as $$
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
    union all select created_at, 'people', '', 1 from users where guest_of is null
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
