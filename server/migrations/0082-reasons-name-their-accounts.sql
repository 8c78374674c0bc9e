-- Each reason moves credits between the accounts that it names, so that the sums by reason are what they seem to be.
-- A budget is an account of events, and a hold is no larger than the program places one.

create function check_entry_accounts() returns trigger language plpgsql as $$
declare
  debited text;
  credited text;
begin
  select coalesce(name, kind) into debited from credit_accounts where id = new.debit_account_id;
  select coalesce(name, kind) into credited from credit_accounts where id = new.credit_account_id;
  if (new.reason, debited, credited) not in (
    ('signup', 'signup', 'user'),
    ('referral', 'referral', 'user'),
    ('purchase', 'purchase', 'user'),
    ('voucher', 'vouchers', 'user'),
    ('usage', 'user', 'usage'),
    ('usage', 'event', 'usage'),
    ('correction', 'user', 'correction'),
    ('correction', 'correction', 'user'),
    ('event', 'events', 'event'),
    ('event', 'event', 'events'),
    ('event', 'event', 'user'),
    ('event', 'user', 'event')
  ) then
    raise exception 'an entry of % moves no credits from % to %', new.reason, debited, credited
      using errcode = 'restrict_violation', constraint = 'ledger_entries_accounts_fit_reason';
  end if;
  return null;
end $$;

create trigger ledger_entries_accounts_fit_reason after insert on ledger_entries
  for each row execute function check_entry_accounts();

create function check_event_account() returns trigger language plpgsql as $$
begin
  if not exists (select from credit_accounts where id = new.account_id and kind = 'event') then
    raise exception 'account % is no budget', new.account_id
      using errcode = 'restrict_violation', constraint = 'events_account_is_budget';
  end if;
  return null;
end $$;

create trigger events_account_is_budget after insert or update of account_id on events
  for each row execute function check_event_account();

alter table credit_holds add constraint credit_holds_amount_at_most_100 check (amount <= 100);
