-- A picture that is taken down is blocked with all its variations, not only the one that it was shown as.
alter table blocked_pictures
  drop constraint blocked_pictures_once,
  add constraint blocked_pictures_once primary key (generation_id, kind, hash);
