-- An image model may be given our composite, to bring it into one light: the object that it is kept as
-- until the faces were put back.
alter table generation_attempts
  add column with_composite boolean not null default false,
  add column composite_key text;
