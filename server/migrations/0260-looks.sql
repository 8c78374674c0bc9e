-- How the whole picture is developed, as it was wished for.
alter table generations add column look text not null default 'natural';
-- The same of a variation without an arrangement; of others the arrangement says it.
alter table variations
  add column look text,
  add constraint variations_look_or_arrangement check (look is null or arrangement is null);
update variations
  set arrangement = jsonb_set(
    arrangement,
    '{look}',
    case arrangement ->> 'look' when 'flash' then '"natural"'::jsonb else '"warm"'::jsonb end
  )
  where arrangement ->> 'look' in ('flash', 'warm-film');
