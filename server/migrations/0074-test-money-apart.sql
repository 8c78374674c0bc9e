-- What orders paid in test money bring is no revenue: it has a figure of its own.
create or replace function note_order_money() returns trigger language plpgsql as $$
begin
  if new.provider = 'sandbox' then
    if old.credited_at is null and new.credited_at is not null then
      perform note_daily(new.credited_at, 'test_money_cents', '', new.price_cents);
    end if;
    return null;
  end if;
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

create or replace function note_payment_coin() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.credited then
    return null;
  end if;
  perform note_daily(orders.credited_at, 'coin_cents', lower(coalesce(new.pay_currency, '?')),
    orders.price_cents)
  from orders where orders.id = new.order_id and orders.provider <> 'sandbox';
  return null;
end
$$;

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
    union all
    select credited_at, 'purchases', '', 1 from orders
      where credited_at is not null and provider <> 'sandbox'
    union all
    select credited_at, case provider when 'sandbox' then 'test_money_cents' else 'revenue_cents' end,
      '', price_cents
    from orders where credited_at is not null
    union all
    select reversed_at, 'refunds', '', 1 from orders
      where reversed_at is not null and provider <> 'sandbox'
    union all
    select reversed_at, 'refunded_cents', '', price_cents from orders
      where reversed_at is not null and provider <> 'sandbox'
    union all
    select orders.credited_at, 'coin_cents', left(lower(coalesce(pay_currency, '?')), 40),
      price_cents
    from payments join orders on orders.id = payments.order_id
    where payments.credited and orders.provider <> 'sandbox'
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

-- What was noted before, of the days that are kept: the other way round, and anew.
insert into daily_changes (day, figure, label, amount)
select (moment at time zone 'UTC')::date as on_day, figure, label, sum(amount)
from (
  select credited_at as moment, 'purchases' as figure, '' as label, -1 as amount from orders
    where credited_at is not null and provider = 'sandbox'
  union all
  select credited_at, 'revenue_cents', '', -price_cents from orders
    where credited_at is not null and provider = 'sandbox'
  union all
  select credited_at, 'test_money_cents', '', price_cents from orders
    where credited_at is not null and provider = 'sandbox'
  union all
  select reversed_at, 'refunds', '', -1 from orders
    where reversed_at is not null and provider = 'sandbox'
  union all
  select reversed_at, 'refunded_cents', '', -price_cents from orders
    where reversed_at is not null and provider = 'sandbox'
  union all
  select orders.credited_at, 'coin_cents', left(lower(coalesce(pay_currency, '?')), 120),
    -price_cents
  from payments join orders on orders.id = payments.order_id
  where payments.credited and orders.provider = 'sandbox'
) as noted
group by on_day, figure, label;
