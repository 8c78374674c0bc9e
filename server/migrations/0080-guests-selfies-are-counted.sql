-- A guest makes as many selfies as their event gives each, whoever paid for one under way meanwhile. At once they
-- begin no two (generations_one_running_per_user), so each counts those before it.

create function count_guests_selfies() returns trigger language plpgsql as $$
declare
  selfies integer;
begin
  select selfies_per_guest into selfies
    from users join events on events.id = guest_of where users.id = new.user_id;
  if found and selfies < (
    select count(*) from generations where user_id = new.user_id and state <> 'failed') then
    raise exception 'guest % has made their % selfies', new.user_id, selfies
      using errcode = 'restrict_violation', constraint = 'generations_within_guests_number';
  end if;
  return null;
end $$;

create trigger generations_within_guests_number after insert on generations
  for each row execute function count_guests_selfies();
