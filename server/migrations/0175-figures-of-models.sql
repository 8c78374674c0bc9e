-- What each image model costs, how often it was asked and how often that failed, by day (UTC): beside
-- the cost by provider that was kept before. A model's name may be longer than other labels.

create or replace function note_daily(moment timestamptz, figure text, label text, amount bigint)
returns void language sql as $$
  insert into daily_changes (day, figure, label, amount)
  select (moment at time zone 'UTC')::date, figure, left(label, 120), amount where amount <> 0;
$$;

create or replace function note_model_cost() returns trigger language plpgsql as $$
declare
  added bigint := new.cost_micro_usd - case when tg_op = 'UPDATE' then old.cost_micro_usd else 0 end;
begin
  perform note_daily(new.created_at, 'model_cost_micro_usd', new.provider, added);
  perform note_daily(new.created_at, 'model_spend_micro_usd',
    new.provider || ':' || new.model, added);
  return null;
end
$$;

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
select recount_daily_figures();
