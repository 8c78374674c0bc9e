-- A third photo: the place that a selfie is set in. None in selfies without one, and in those of the
-- version before.
alter table generations
  add column has_background_photo boolean not null default false,
  add column background_photo_key text,
  add column background_photo_hash bigint,
  add constraint generations_scene_or_background check (
    not has_background_photo or scene is null
  ),
  add constraint generations_background_has_hash check (
    has_background_photo = (background_photo_hash is not null)
    and (has_background_photo or background_photo_key is null)
  );

-- Each photo of a removed selfie is blocked: also the second star's, and that of the place.
alter table blocked_pictures
  drop constraint blocked_pictures_kind_known,
  add constraint blocked_pictures_kind_known check (kind in (
    'picture', 'user_photo', 'star_photo', 'second_star_photo', 'background_photo'
  ));
