-- A public link goes on showing the version that it was made for, whatever its owner chooses or makes later,
-- and goes with it. Null: the version that the selfie is shown as, where it has no other.
alter table generations add column shared_variation_id uuid;

create function share_version() returns trigger language plpgsql as $$
begin
  new.shared_variation_id := case when new.share_id is not null then (
    select id from variations where generation_id = new.id and clean_key = new.clean_key) end;
  return new;
end $$;

-- Also where it had a link, which then shows another version.
create trigger generations_share_version before update of share_id on generations
  for each row execute function share_version();

create function end_link() returns trigger language plpgsql as $$
begin
  update generations set share_id = null where shared_variation_id = new.id and id = new.generation_id;
  return null;
end $$;

create trigger variations_end_link after update of deleted_at on variations
  for each row when (new.deleted_at is not null) execute function end_link();
