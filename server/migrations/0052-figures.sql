-- Figures over whole tables, kept so that reading them costs the same however many rows there are.

-- The ledger is append-only: what is summed once stays summed. Entries up to `closed_to` are in
-- `ledger_totals`, those behind it are summed at each reading.
create table ledger_closing (
  only_row boolean primary key default true,
  closed_to bigint not null default 0,
  -- The next end, and the transactions that may still write an entry before it; closed without them.
  marked_to bigint not null default 0,
  marked_writers text[] not null default '{}',
  constraint ledger_closing_one_row check (only_row),
  constraint ledger_closing_mark_not_behind check (marked_to >= closed_to)
);
insert into ledger_closing default values;

create table ledger_totals (
  reason text primary key,
  entries bigint not null default 0,
  amount bigint not null default 0
);
insert into ledger_totals (reason)
values ('signup'), ('referral'), ('purchase'), ('usage'), ('correction');

-- Rows that change their state are counted by their changes, which are written beside them without
-- a row that two of them share, and folded into `tallies` now and then. A count is always both.
create table tallies (
  subject text not null,
  provider text not null,
  state text not null,
  count bigint not null,
  constraint tallies_pkey primary key (subject, provider, state)
);
create table tally_changes (
  id bigint generated always as identity primary key,
  subject text not null,
  provider text not null,
  state text not null,
  change integer not null
);

-- The trigger's argument is the column that holds the state.
create function tally_row() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(old) ->> tg_argv[0] = to_jsonb(new) ->> tg_argv[0] then
    return null;
  end if;
  insert into tally_changes (subject, provider, state, change)
  select tg_table_name, coalesce(content ->> 'provider', ''), content ->> tg_argv[0], side
  from (values (to_jsonb(old), -1), (to_jsonb(new), 1)) as changed (content, side)
  where content is not null;
  return null;
end
$$;

create function tally_returned_hold() returns trigger language plpgsql as $$
begin
  insert into tally_changes (subject, provider, state, change)
  values ('credit_holds', '', new.state, 1);
  return null;
end
$$;

create trigger users_tallied after insert or delete or update of status on users
  for each row execute function tally_row('status');
create trigger orders_tallied after insert or update of status on orders
  for each row execute function tally_row('status');
create trigger payments_tallied after insert or delete or update of state on payments
  for each row execute function tally_row('state');
-- Open holds are counted by their index, and captured ones by their entries.
create trigger credit_holds_tallied after update of state on credit_holds
  for each row when (new.state in ('released', 'expired')) execute function tally_returned_hold();

-- Counts everything anew, with writers kept out: here, and after rows were loaded without triggers.
create function recount_tallies() returns void language sql as $$
  lock table users, orders, payments, credit_holds in share row exclusive mode;
  delete from tally_changes;
  delete from tallies;
  insert into tallies (subject, provider, state, count)
  select 'users', '', status, count(*) from users group by status
  union all
  select 'orders', provider, status, count(*) from orders group by provider, status
  union all
  select 'payments', provider, state, count(*) from payments group by provider, state
  union all
  select 'credit_holds', '', state, count(*) from credit_holds
    where state in ('released', 'expired') group by state;
$$;
select recount_tallies();

-- The limits that have run out are deleted by time, as are the failed selfies of a day counted.
create index rate_limits_by_expiry on rate_limits (expire);
create index generations_failed_by_time on generations (finished_at) where state = 'failed';

-- An account that is deleted takes its orders at hosted makers along.
create index generation_attempts_by_user on generation_attempts (user_id);
