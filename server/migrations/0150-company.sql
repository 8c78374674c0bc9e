-- Who else is in a selfie: further faces of the person's own photo, and a second star. All are null in
-- selfies of one face and one star, and in those of the version before.
alter table generations
  -- In the order in which the photo check lists the faces; user_face_index is the first of them.
  add column user_face_indexes integer[],
  add column second_preset_id text,
  add column second_star_face_index integer,
  add column second_star_photo_key text,
  add column second_star_photo_hash bigint,
  -- The names of both stars; celebrity says them in one text.
  add column star_names text[],
  add constraint generations_two_stars_at_most check (cardinality(star_names) = 2),
  add constraint generations_four_heads_at_most check (
    coalesce(cardinality(user_face_indexes), 1) + coalesce(cardinality(star_names), 1) <= 4
  ),
  add constraint generations_second_star_is_named check (
    star_names is not null or (
      second_preset_id is null and second_star_photo_key is null and second_star_photo_hash is null
    )
  );
