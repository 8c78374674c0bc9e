-- Days of a star's licence (UTC), as ISO dates: the first and the last on which it may be offered, and what for.

alter table stars
  add column licence_from text,
  add column licence_until text,
  add column licence_uses text not null default '',
  add constraint stars_licence_days check (licence_from ~ '^\d{4}-\d\d-\d\d$' and licence_until ~ '^\d{4}-\d\d-\d\d$'),
  add constraint stars_licence_in_order check (licence_from <= licence_until);
