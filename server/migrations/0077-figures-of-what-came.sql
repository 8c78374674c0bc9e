-- Where a buyer took the credits that a part of the price is worth, what came is kept: figures count it.
alter table orders add column received_cents integer;

update orders
set received_cents = least(price_cents, (
  select round(orders.price_cents * coalesce(
    sum(least(settled_amount, paid_amount) / pay_amount),
    orders.credits_granted::numeric / orders.credits))
  from payments
  where order_id = orders.id
    and parent_payment_id is null
    and state in ('partial', 'finished')
    and pay_amount > 0
    and price_minor_units = orders.price_cents
    and payments.price_currency = orders.price_currency))
where credits_granted < credits;

alter table orders add constraint orders_received_exactly_for_a_part check (
  (received_cents is not null) = coalesce(credits_granted < credits, false)
  and coalesce(received_cents, 0) between 0 and price_cents);

create function note_received_cents() returns trigger language plpgsql as $$
begin
  select least(new.price_cents,
    round(new.price_cents * coalesce(sum(least(settled_amount, paid_amount) / pay_amount), 0)))
  into new.received_cents
  from payments
  where order_id = new.id
    and parent_payment_id is null
    and state in ('partial', 'finished')
    and pay_amount > 0
    and price_minor_units = new.price_cents
    and price_currency = new.price_currency;
  return new;
end
$$;

create trigger orders_received before update of credits_granted on orders
  for each row when (old.credits_granted is null and new.credits_granted < new.credits)
  execute function note_received_cents();

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
      or new.credits_granted is distinct from old.credits_granted
      or new.received_cents is distinct from old.received_cents) then
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

create or replace function note_order_money() returns trigger language plpgsql as $$
declare
  received constant integer := coalesce(new.received_cents, new.price_cents);
begin
  if new.provider = 'sandbox' then
    if old.credited_at is null and new.credited_at is not null then
      perform note_daily(new.credited_at, 'test_money_cents', '', received);
    end if;
    return null;
  end if;
  if old.credited_at is null and new.credited_at is not null then
    perform note_daily(new.credited_at, 'purchases', '', 1);
    perform note_daily(new.credited_at, 'revenue_cents', '', received);
  end if;
  if old.reversed_at is null and new.reversed_at is not null then
    perform note_daily(new.reversed_at, 'refunds', '', 1);
    perform note_daily(new.reversed_at, 'refunded_cents', '', received);
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
    coalesce(orders.received_cents, orders.price_cents))
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
      '', coalesce(received_cents, price_cents)
    from orders where credited_at is not null
    union all
    select reversed_at, 'refunds', '', 1 from orders
      where reversed_at is not null and provider <> 'sandbox'
    union all
    select reversed_at, 'refunded_cents', '', coalesce(received_cents, price_cents) from orders
      where reversed_at is not null and provider <> 'sandbox'
    union all
    select orders.credited_at, 'coin_cents', left(lower(coalesce(pay_currency, '?')), 40),
      coalesce(received_cents, price_cents)
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

-- What was counted as the whole price before, of which a part came.
insert into daily_changes (day, figure, label, amount)
select (moment at time zone 'UTC')::date as on_day, figure, label, sum(amount)
from (
  select credited_at as moment,
    case provider when 'sandbox' then 'test_money_cents' else 'revenue_cents' end as figure,
    '' as label, received_cents - price_cents as amount
  from orders where received_cents < price_cents
  union all
  select reversed_at, 'refunded_cents', '', received_cents - price_cents from orders
    where received_cents < price_cents and reversed_at is not null and provider <> 'sandbox'
  union all
  select orders.credited_at, 'coin_cents', left(lower(coalesce(pay_currency, '?')), 120),
    received_cents - price_cents
  from payments join orders on orders.id = payments.order_id
  where payments.credited and orders.provider <> 'sandbox' and received_cents < price_cents
) as noted
group by on_day, figure, label;
