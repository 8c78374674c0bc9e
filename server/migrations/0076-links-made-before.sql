-- Links that were given away keep what they show now. Apart from the new column, whose lock this would hold.
update generations set shared_variation_id = variation.id
from variations as variation
where share_id is not null and variation.generation_id = generations.id
  and variation.clean_key = generations.clean_key;
