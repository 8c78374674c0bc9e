-- One row per selfie, from the moment its credit is held.

create table generations (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  hold_id uuid not null references credit_holds (id),
  -- The caller's Idempotency-Key and a digest of what came with it.
  idempotency_key text,
  request_digest bytea not null,
  state text not null default 'running',
  stage text not null default 'queued',
  celebrity text not null,
  preset_id text,
  scene text,
  aspect text not null,
  resolution text not null,
  prompt text,
  user_face_index integer,
  star_face_index integer,
  -- When and under which wording the person confirmed consent for own photos of others.
  consent_at timestamptz,
  consent_version text,
  -- Object keys; the inputs are null once they were deleted.
  user_photo_key text,
  star_photo_key text,
  clean_key text,
  watermarked_key text,
  clean_thumbnail_key text,
  watermarked_thumbnail_key text,
  width_px integer,
  height_px integer,
  provider text,
  model text,
  error_code text,
  created_at timestamptz not null,
  finished_at timestamptz,
  deleted_at timestamptz,
  -- The public link's unguessable id while the owner shares the picture.
  share_id text,
  constraint generations_share_id_unique unique (share_id),
  constraint generations_only_done_is_shared check (
    share_id is null or (state = 'done' and deleted_at is null)
  ),
  constraint generations_hold_unique unique (hold_id),
  constraint generations_idempotency_key_unique unique (user_id, idempotency_key),
  constraint generations_state_known check (state in ('running', 'done', 'failed')),
  constraint generations_finished_unless_running
    check ((state = 'running') = (finished_at is null)),
  constraint generations_done_has_pictures check (
    state <> 'done'
    or deleted_at is not null
    or (clean_key is not null and watermarked_key is not null and width_px is not null)
  ),
  constraint generations_failed_has_code check ((state = 'failed') = (error_code is not null))
);
-- A person makes one selfie at a time.
create unique index generations_one_running_per_user on generations (user_id)
  where state = 'running';
create index generations_by_user on generations (user_id, created_at desc, id desc)
  where deleted_at is null;
create index generations_running on generations (created_at) where state = 'running';
create index generations_deleted on generations (deleted_at) where deleted_at is not null;
