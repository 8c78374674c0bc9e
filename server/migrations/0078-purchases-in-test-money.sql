-- A purchase is one in real money, somebody's first one too; those in test money are counted apart.
create function is_of_test_money(purchase text) returns boolean language sql stable as $$
  select exists (
    select from orders where id = substr(purchase, 7) and purchase like 'order:%' and provider = 'sandbox')
$$;

drop trigger credit_accounts_noted on credit_accounts;

create or replace function note_first_purchase() returns trigger language plpgsql as $$
begin
  -- Of two at once one waits here, and then sees the other.
  perform from credit_accounts where id = new.credit_account_id for no key update;
  if not is_of_test_money(new.reference) and not exists (
    select from ledger_entries
    where credit_account_id = new.credit_account_id and id <> new.id
      and reason = 'purchase' and not is_of_test_money(reference)) then
    perform note_daily(new.created_at, 'first_purchases', '', 1);
  end if;
  return null;
end
$$;

create trigger ledger_entries_noted after insert on ledger_entries
  for each row when (new.reason = 'purchase')
  execute function note_first_purchase();

create or replace function note_order_money() returns trigger language plpgsql as $$
declare
  received constant integer := coalesce(new.received_cents, new.price_cents);
begin
  if new.provider = 'sandbox' then
    if old.credited_at is null and new.credited_at is not null then
      perform note_daily(new.credited_at, 'test_purchases', '', 1);
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
      where reason = 'purchase' and not is_of_test_money(reference) group by credit_account_id
    union all
    select credited_at, case provider when 'sandbox' then 'test_purchases' else 'purchases' end, '', 1
    from orders where credited_at is not null
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

-- What was counted before: first purchases whichever money they were made in, and none of test money.
insert into daily_changes (day, figure, label, amount)
with bought as (
  select credit_account_id, ledger_entries.created_at, provider
  from ledger_entries join orders on ledger_entries.reference = 'order:' || orders.id
  where reason = 'purchase'
)
select (moment at time zone 'UTC')::date as on_day, figure, '', sum(amount)
from (
  select min(created_at) as moment, 'first_purchases' as figure, -1 as amount
  from bought group by credit_account_id
  union all
  select min(created_at), 'first_purchases', 1
  from bought where provider <> 'sandbox' group by credit_account_id
  union all
  select credited_at, 'test_purchases', 1
  from orders where credited_at is not null and provider = 'sandbox'
) as corrected
group by on_day, figure
having sum(amount) <> 0;
