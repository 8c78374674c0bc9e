-- A page of one's own books, and the number of one's selfies, cost what they show and not what
-- their owner ever did.

-- The number of selfies is read from the index alone.
create index generations_done_by_user on generations (user_id)
  where state = 'done' and deleted_at is null;

-- The history is ordered by time; nothing reads an account's entries by their ids.
drop index ledger_entries_by_credit_account;
drop index ledger_entries_by_debit_account;
create index ledger_entries_by_credit_account on ledger_entries (credit_account_id, created_at desc);
create index ledger_entries_by_debit_account on ledger_entries (debit_account_id, created_at desc);

-- A captured hold shows as its entry; the history needs the others, by the time that they show.
drop index credit_holds_by_account;
create index credit_holds_shown_by_account
  on credit_holds (account_id, (coalesce(settled_at, created_at)) desc)
  where state <> 'captured';
