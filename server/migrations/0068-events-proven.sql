-- Reads the rows under a lock that lets others write: what was added `not valid` before.

alter table ledger_entries validate constraint ledger_entries_reason_known;
alter table credit_accounts validate constraint credit_accounts_kind_known;
alter table credit_accounts validate constraint credit_accounts_balance_unless_system;
