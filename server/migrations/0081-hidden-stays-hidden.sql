-- A picture that a moderator hid isn't asked for anew by its guest's no and yes, until another version is shown.
-- The version before writes no such word, and asks anew as it did.

alter table event_selfies add column was_hidden boolean not null default false;

update event_selfies set was_hidden = true where wall = 'hidden';

create or replace function ask_wall_anew() returns trigger language plpgsql as $$
begin
  update event_selfies
    set wall = case wall when 'approved' then 'asked' else wall end,
      was_hidden = false,
      asked_at = greatest(asked_at + interval '1 millisecond', date_trunc('milliseconds', now()))
    where generation_id = new.id;
  return null;
end $$;
