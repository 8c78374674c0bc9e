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
  select (moment at time zone 'UTC')::date, figure, left(label, 40), amount where amount <> 0;
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
begin
  perform note_daily(new.created_at, 'model_cost_micro_usd', new.provider,
    new.cost_micro_usd - case when tg_op = 'UPDATE' then old.cost_micro_usd else 0 end);
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
    union all select created_at, 'referrals', '', 1 from referrals
    union all select created_at, 'referral_bonuses', '', 1 from referrals where bonus_granted
    union all select redeemed_at, 'voucher_redemptions', '', 1 from voucher_redemptions
    union all select redeemed_at, 'voucher_credits', '', credits from voucher_redemptions
  ) as noted
  where moment >= ((now() at time zone 'UTC')::date - 99)::timestamp at time zone 'UTC'
  group by on_day, figure, label;
$$;
select recount_daily_figures();
