-- No model is given our composite any more.
alter table generation_attempts
  drop column with_composite,
  drop column composite_key;
