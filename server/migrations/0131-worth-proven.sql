-- Reads the orders under a lock that lets others write.

alter table orders validate constraint orders_worth_below_order;
alter table orders validate constraint orders_granted_below_order;
