-- A refunded purchase whose credits are no longer all there leaves the rest owing. The refund stands
-- in the books in full, so that credited - debited - held is `balance - owed`: of the two, one is
-- always zero.

alter table credit_accounts
  add column owed integer not null default 0,
  add constraint credit_accounts_owed_not_negative check (owed >= 0),
  add constraint credit_accounts_owed_only_on_user check (kind = 'user' or owed = 0),
  add constraint credit_accounts_owed_only_without_balance check (owed = 0 or balance = 0);

-- Whatever raises a balance (a release, an expiry, a grant, a correction) pays what is owed first.
create function pay_owed_first() returns trigger language plpgsql as $$
declare
  paid constant integer := least(new.balance, new.owed);
begin
  new.balance := new.balance - paid;
  new.owed := new.owed - paid;
  return new;
end
$$;

create trigger credit_accounts_pay_owed_first
  before update on credit_accounts
  for each row when (new.owed > 0 and new.balance > 0)
  execute function pay_owed_first();
