-- An image model may give several pictures for one request: those behind the first one, which stands
-- where a node of the version before looks for it. Without that one they mean nothing.
alter table generation_attempts
  add column further_output_urls text[] not null default '{}',
  add column further_output_keys text[] not null default '{}',
  add constraint generation_attempts_outputs_at_most_four check (
    cardinality(further_output_urls) <= 3 and cardinality(further_output_keys) <= 3
  );
-- A picture of a hosted model has no arrangement that could be adjusted.
alter table variations alter column arrangement drop not null;
