-- Reads the rows under a lock that lets others write: what was added `not valid` before.

alter table orders validate constraint orders_package_type_form;
alter table orders validate constraint orders_price_bounded;
alter table orders validate constraint orders_credits_bounded;
alter table ledger_entries validate constraint ledger_entries_reason_known;
alter table users validate constraint users_language_form;
alter table generation_attempts validate constraint generation_attempts_likeness_in_range;
alter table generation_attempts validate constraint generation_attempts_repetition_known;
alter table generation_attempts validate constraint generation_attempts_error_kind_known;
alter table payments validate constraint payments_settled_amount_not_negative;
alter table payments validate constraint payments_price_has_currency;
alter table orders validate constraint orders_granted_within_order;
