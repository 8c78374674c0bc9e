-- Reads the orders under a lock that lets others write.

alter table orders validate constraint orders_package_type_form;
alter table orders validate constraint orders_price_bounded;
alter table orders validate constraint orders_credits_bounded;
