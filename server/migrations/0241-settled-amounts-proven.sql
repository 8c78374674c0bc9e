-- Reads the rows under a lock that lets others write.

alter table payments validate constraint payments_settled_amount_not_negative;
alter table payments validate constraint payments_price_has_currency;
alter table orders validate constraint orders_granted_within_order;
