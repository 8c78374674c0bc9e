-- Which providers there are is the program's list; the database checks the form of their names and of
-- their ids. Payments under dispute are kept apart.

alter table orders
  drop constraint orders_provider_known,
  add constraint orders_provider_form check (provider ~ '^[a-z][a-z0-9_]{1,39}$');

alter table payments
  drop constraint payments_provider_known,
  add constraint payments_provider_form check (provider ~ '^[a-z][a-z0-9_]{1,39}$'),
  drop constraint payments_id_canonical,
  add constraint payments_id_form check (payment_id ~ '^[A-Za-z0-9_-]{1,100}$'),
  drop constraint payments_state_known,
  add constraint payments_state_known check (
    state in (
      'unread', 'waiting', 'processing', 'partial', 'finished', 'failed', 'refunded', 'expired',
      'disputed', 'unknown', 'missing'
    )
  );
