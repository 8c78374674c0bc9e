-- Reads all entries once, while others write.
alter table ledger_entries validate constraint ledger_entries_reason_known;
