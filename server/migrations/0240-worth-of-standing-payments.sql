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

-- The first release doesn't have it.
alter table orders drop column worth_credits;

-- Only older versions read and write `missing_amount` and `missing_currency` any more. This version
-- credits an order without clearing them.
alter table orders drop constraint orders_nothing_missing_when_credited;

-- Several payments may add up to the price.
alter table orders
  drop constraint orders_granted_below_order,
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
