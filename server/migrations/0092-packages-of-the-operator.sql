-- Packages are the operator's now: their ids have a form, and price and credits of an order bounds.
-- Rows that are there fit; the next migration proves it without holding writers up.

alter table orders
  drop constraint orders_package_type_known,
  add constraint orders_package_type_form check (package_type ~ '^[a-z][a-z0-9_-]{1,29}$') not valid,
  add constraint orders_price_bounded check (price_cents between 50 and 1000000) not valid,
  add constraint orders_credits_bounded check (credits <= 100000) not valid;
