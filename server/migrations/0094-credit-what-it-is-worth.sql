-- An underpaid order may be credited with what its money is worth, once, in whole credits.

alter table orders
  -- While a deposit was too small: the credits that it would buy, rounded down.
  add column worth_credits integer,
  -- Set when an order was credited with fewer credits than it was made for.
  add column credits_granted integer,
  add constraint orders_worth_below_order
    check (worth_credits >= 0 and worth_credits < credits) not valid,
  add constraint orders_granted_below_order
    check (
      credits_granted is null
      or (credits_granted >= 1 and credits_granted < credits and credited_at is not null)
    ) not valid;

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
