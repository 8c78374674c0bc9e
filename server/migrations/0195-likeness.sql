-- How alike the people of a hosted picture are to their photos, and once more after a stranger's face.

alter table generation_attempts
  -- Of the person who is least like their photo, 0 to 1; kept for 30 days. Null: not compared.
  add column likeness real,
  -- 1 where the same provider is asked once more, as its first picture showed a stranger.
  add column repetition smallint not null default 0,
  add constraint generation_attempts_likeness_in_range check (likeness between 0 and 1) not valid,
  add constraint generation_attempts_repetition_known check (repetition in (0, 1)) not valid,
  drop constraint generation_attempts_error_kind_known,
  add constraint generation_attempts_error_kind_known check (
    error_kind in (
      'policy_refused', 'bad_input', 'provider_busy', 'provider_down', 'timeout', 'likeness_lost',
      'unknown'
    )
  ) not valid,
  -- One request for each provider of one charge, and one more only after a stranger's face.
  drop constraint generation_attempts_one_per_maker,
  add constraint generation_attempts_one_per_repetition
    unique (generation_id, chain_position, repetition);
create index generation_attempts_likeness on generation_attempts (created_at)
  where likeness is not null;
