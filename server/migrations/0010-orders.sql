-- Orders, what providers say about their payments, and what an operator has to look at.

create table orders (
  id text primary key,
  -- Null once the person was deleted; the order stays, because money was involved.
  user_id uuid references users (id) on delete set null,
  idempotency_key text,
  package_type text not null,
  -- The price and the credits of the package on the day of the order.
  price_cents integer not null,
  price_currency text not null default 'usd',
  credits integer not null,
  status text not null default 'initiated',
  provider text not null,
  invoice_id text,
  payment_url text,
  -- Coins still missing after a deposit that was too small.
  missing_amount numeric,
  missing_currency text,
  paid_late boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the credits were granted: set once, in the transaction of the grant.
  credited_at timestamptz,
  -- When a refund after crediting was booked.
  reversed_at timestamptz,
  -- When payments of this order are looked for without a callback, and how often that was done.
  next_search_at timestamptz,
  search_count integer not null default 0,
  constraint orders_id_form check (id ~ '^order_[0-9a-z]{1,12}_[0-9a-z]{6}$'),
  constraint orders_package_type_known check (package_type in ('basic', 'premium')),
  constraint orders_price_positive check (price_cents > 0),
  constraint orders_price_currency_is_dollar check (price_currency = 'usd'),
  constraint orders_credits_positive check (credits > 0),
  constraint orders_status_known check (
    status in ('initiated', 'pending', 'processing', 'completed', 'failed', 'cancelled', 'expired')
  ),
  constraint orders_provider_known check (provider in ('nowpayments', 'btcpay', 'sandbox')),
  constraint orders_completed_exactly_when_credited check (
    (status = 'completed') = (credited_at is not null)
  ),
  constraint orders_reversed_only_after_credit check (
    reversed_at is null or credited_at is not null
  ),
  constraint orders_missing_amount_has_currency check (
    (missing_amount is null) = (missing_currency is null)
  ),
  constraint orders_missing_amount_positive check (missing_amount > 0),
  constraint orders_nothing_missing_when_credited check (
    credited_at is null or missing_amount is null
  ),
  constraint orders_invoice_unique unique (provider, invoice_id),
  constraint orders_idempotency_key_unique unique (user_id, idempotency_key)
);
create index orders_by_user on orders (user_id, created_at desc);
create index orders_open on orders (created_at) where status in ('initiated', 'pending');
create index orders_to_search on orders (next_search_at) where next_search_at is not null;

create function keep_order_terms() returns trigger language plpgsql as $$
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
  if old.credited_at is not null and new.credited_at is distinct from old.credited_at then
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

create trigger orders_terms_are_fixed
  before update on orders
  for each row execute function keep_order_terms();
create trigger orders_never_deleted
  before delete on orders
  for each row execute function refuse_change();

-- One row for each payment that a provider knows, as last read with our own key. A callback only
-- makes the row due for a reading.
create table payments (
  provider text not null,
  payment_id text not null,
  -- Null while nothing of ours is known to belong to it.
  order_id text references orders (id),
  parent_payment_id text,
  state text not null default 'unread',
  provider_status text,
  pay_currency text,
  pay_amount numeric,
  paid_amount numeric,
  -- The provider's time of its last change: an older reading changes nothing.
  provider_updated_at timestamptz,
  -- True for the payment that credited its order.
  credited boolean not null default false,
  first_seen_at timestamptz not null,
  last_read_at timestamptz,
  callback_count integer not null default 0,
  -- When the payment is read again; null when there is nothing more to learn.
  next_read_at timestamptz,
  read_count integer not null default 0,
  constraint payments_known_once primary key (provider, payment_id),
  constraint payments_provider_known check (provider in ('nowpayments', 'btcpay', 'sandbox')),
  constraint payments_state_known check (
    state in (
      'unread', 'waiting', 'processing', 'partial', 'finished', 'failed', 'refunded', 'expired',
      'unknown', 'missing'
    )
  ),
  constraint payments_id_canonical check (
    provider = 'btcpay' or payment_id ~ '^[1-9][0-9]{0,15}$'
  ),
  constraint payments_second_deposit_never_credits check (
    not credited or parent_payment_id is null
  ),
  constraint payments_credit_belongs_to_order check (not credited or order_id is not null)
);
-- However many payments an order has: one of them credits it.
create unique index payments_credit_an_order_once on payments (order_id) where credited;
create index payments_by_order on payments (order_id);
create index payments_to_read on payments (next_read_at) where next_read_at is not null;

-- What was learnt and done, for the operator and for disputes. Append-only; a repetition of the
-- same news is not written again.
create table payment_events (
  id bigint generated always as identity primary key,
  provider text not null,
  payment_id text,
  order_id text,
  event text not null,
  detail text not null default '',
  created_at timestamptz not null,
  constraint payment_events_told_once
    unique nulls not distinct (provider, payment_id, order_id, event, detail)
);
create index payment_events_by_order on payment_events (order_id, id);
create trigger payment_events_append_only
  before update or delete on payment_events
  for each row execute function refuse_change();

-- What an operator has to decide.
create table order_flags (
  id bigint generated always as identity primary key,
  provider text not null,
  payment_id text,
  order_id text references orders (id),
  kind text not null,
  note text not null,
  created_at timestamptz not null,
  resolved_at timestamptz,
  resolution text,
  constraint order_flags_raised_once
    unique nulls not distinct (provider, payment_id, order_id, kind),
  constraint order_flags_resolved_with_reason check (
    (resolved_at is null) = (resolution is null)
  )
);
create index order_flags_open on order_flags (created_at) where resolved_at is null;
create index order_flags_by_order on order_flags (order_id);
