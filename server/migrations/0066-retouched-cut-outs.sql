-- What a brush has done to somebody's cut-out stands in the arrangements; it goes with the layers, whoever
-- or whatever deletes them. The pictures that were made of it stay.

create function forget_retouch() returns trigger language plpgsql as $$
begin
  update variations
    set arrangement = jsonb_set(arrangement, '{subjects}', (
      select jsonb_agg(subject - 'retouch' order by place)
      from jsonb_array_elements(arrangement -> 'subjects') with ordinality as each (subject, place)
    ))
    where generation_id = old.generation_id
      and jsonb_path_exists(arrangement, '$.subjects[*].retouch');
  return null;
end $$;

create trigger generation_layers_forget_retouch after delete on generation_layers
  for each row execute function forget_retouch();
