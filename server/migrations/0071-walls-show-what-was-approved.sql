-- A moderator approves one picture. Where its guest chooses or makes another version, the wall asks anew,
-- whatever changed it; the new time tells a verdict on the picture before from one on this.

create function ask_wall_anew() returns trigger language plpgsql as $$
begin
  update event_selfies
    set wall = case wall when 'approved' then 'asked' else wall end,
      asked_at = greatest(asked_at + interval '1 millisecond', date_trunc('milliseconds', now()))
    where generation_id = new.id;
  return null;
end $$;

create trigger generations_ask_wall_anew after update of clean_key on generations
  for each row when (old.clean_key is distinct from new.clean_key)
  execute function ask_wall_anew();
