-- A guest who makes an account keeps what was made as one without the brand mark; what is made later follows
-- the rule of every account.
alter table credit_accounts
  add column unmarked_until timestamptz,
  add constraint credit_accounts_unmarked_ends_once_begun
    check (is_unmarked or unmarked_until is null) not valid;
alter table credit_accounts validate constraint credit_accounts_unmarked_ends_once_begun;
update credit_accounts
set unmarked_until = coalesce(event_guests.kept_at, now())
from users left join event_guests on event_guests.user_id = users.id
where users.id = credit_accounts.user_id and is_unmarked and users.guest_of is null;

-- A hold of a guest who makes an account or leaves becomes the budget's, which its credits belong to.
create or replace function keep_settled_hold() returns trigger language plpgsql as $$
begin
  if old.state <> 'held' then
    raise exception 'hold % is already %', old.id, old.state
      using errcode = 'restrict_violation', constraint = 'credit_holds_settled_is_final';
  end if;
  if new.amount <> old.amount or new.account_id <> old.account_id
    and not exists (select from credit_accounts where id = new.account_id and kind = 'event') then
    raise exception 'the amount and the account of hold % are fixed', old.id
      using errcode = 'restrict_violation', constraint = 'credit_holds_amount_is_fixed';
  end if;
  return new;
end
$$;
