-- Stars that the operator adds in the browser or by command; their pictures lie in the object store, so
-- that every node has them. The stars that come with the program stay files.

create table stars (
  -- Given to nobody else, also once the star is retired: selfies name it.
  id text primary key,
  name text not null,
  category text not null,
  -- What the star is known for, by language; null where nothing was written.
  line jsonb,
  licence text not null,
  attribution text not null,
  source text not null,
  -- Why the person's picture may be used, for the operator alone.
  consent_note text not null,
  ai_generated boolean not null default false,
  -- Folder of its objects below `stars/`: pictures are never changed under an address.
  object_folder uuid not null,
  sample_count integer not null default 0,
  -- draft: not offered yet; retired: not offered any more, for good.
  state text not null default 'draft',
  created_at timestamptz not null,
  created_by text not null,
  constraint stars_id_form check (id ~ '^[a-z0-9][a-z0-9-]{1,39}$'),
  constraint stars_state_known check (state in ('draft', 'published', 'retired')),
  constraint stars_rights_told check (
    name <> '' and licence <> '' and attribution <> '' and source <> '' and consent_note <> ''
  ),
  constraint stars_object_folder_unique unique (object_folder)
);

create function keep_retired_star() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.state = 'retired' and new.state <> 'retired') then
    raise exception 'star % is retired for good', old.id
      using errcode = 'restrict_violation', constraint = 'stars_retired_is_final';
  end if;
  return new;
end
$$;
create trigger stars_retired_is_final before update or delete on stars
  for each row execute function keep_retired_star();

-- Where a star stands and whether it is shown, of those that come with the program too.
create table star_places (
  star_id text primary key,
  -- Smaller ones stand in front.
  position integer not null,
  is_hidden boolean not null default false,
  constraint star_places_position_in_range check (position between 0 and 100000)
);
