-- A sweep looks at a bounded number of stored objects; the next one goes on behind the last of them.
create table sweep_positions (
  prefix text primary key,
  after_key text not null
);
