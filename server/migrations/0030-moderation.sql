-- Reports, take-downs, what may not come back, and the record of every step.

-- Perceptual hashes, kept after the photos themselves are gone: 64 bits say which picture it was to
-- somebody who has it, and show nothing to anybody else.
alter table generations
  add column user_photo_hash bigint,
  -- Null for a preset, which stays usable whatever is removed.
  add column star_photo_hash bigint,
  add column picture_hash bigint;
create index generations_by_picture_hash on generations (picture_hash)
  where picture_hash is not null and deleted_at is null;

create table reports (
  id uuid primary key default gen_random_uuid(),
  -- The picture's id when it was known; not a reference, as the report outlives the picture.
  generation_id uuid,
  -- What the reporter wrote to say which picture it is.
  link text not null,
  reason text not null,
  details text not null,
  contact text not null,
  good_faith boolean not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  resolved_at timestamptz,
  outcome text,
  note text,
  constraint reports_reason_known check (
    reason in ('depicts_me', 'intimate', 'minor', 'impersonation', 'copyright', 'other')
  ),
  constraint reports_made_in_good_faith check (good_faith),
  constraint reports_due_within_48_hours check (
    due_at > created_at and due_at <= created_at + interval '48 hours'
  ),
  constraint reports_outcome_known check (outcome in ('removed', 'kept', 'not_found')),
  constraint reports_resolved_with_outcome check ((resolved_at is null) = (outcome is null))
);
create index reports_open on reports (due_at) where resolved_at is null;
create index reports_by_generation on reports (generation_id);

create table blocked_pictures (
  generation_id uuid not null,
  kind text not null,
  hash bigint not null,
  created_at timestamptz not null,
  constraint blocked_pictures_once primary key (generation_id, kind),
  constraint blocked_pictures_kind_known check (kind in ('picture', 'user_photo', 'star_photo'))
);

-- Every step of moderation. Holds ids, never names or addresses, and references nothing, so that it
-- stays when what it tells of is deleted.
create table moderation_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  act text not null,
  generation_id uuid,
  user_id uuid,
  report_id uuid,
  detail text not null default '',
  constraint moderation_log_actor_known check (actor in ('operator', 'reporter', 'system'))
);
create index moderation_log_by_generation on moderation_log (generation_id, id);
create index moderation_log_by_user on moderation_log (user_id, id);
create trigger moderation_log_append_only
  before update or delete on moderation_log
  for each row execute function refuse_change();
create trigger moderation_log_never_truncated
  before truncate on moderation_log
  for each statement execute function refuse_change();

-- One row for each time it was proven that no uploaded photo outlived its day.
create table input_checks (
  checked_at timestamptz primary key,
  inputs integer not null,
  oldest_age_seconds integer,
  overdue integer not null,
  constraint input_checks_overdue_within_inputs check (overdue between 0 and inputs)
);
