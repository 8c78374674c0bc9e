-- Several pictures for one credit: the arrangements that a generation has pictures of. The picture
-- that a generation is shown as is the variation whose keys stand in the generation too.
create table variations (
  id uuid not null default gen_random_uuid(),
  generation_id uuid not null,
  -- In the order in which they were made; the engine's best one is 0.
  position integer not null,
  source text not null,
  arrangement jsonb not null,
  -- Pictures of at most 512 pixels; null for one that was made at full size at once.
  clean_preview_key text,
  watermarked_preview_key text,
  -- At full size; null until then.
  clean_key text,
  watermarked_key text,
  clean_thumbnail_key text,
  watermarked_thumbnail_key text,
  -- Of the largest picture that there is.
  width_px integer not null,
  height_px integer not null,
  picture_hash bigint,
  created_at timestamp with time zone not null,
  constraint variations_pkey primary key (id),
  constraint variations_generation_id_fkey
    foreign key (generation_id) references generations (id) on delete cascade,
  constraint variations_position_unique unique (generation_id, position),
  constraint variations_position_not_negative check (position >= 0),
  constraint variations_source_known check (source in ('made', 'more', 'adjusted')),
  constraint variations_previews_in_both_forms check (
    num_nulls(clean_preview_key, watermarked_preview_key) in (0, 2)
  ),
  constraint variations_rendered_in_all_forms check (
    num_nulls(clean_key, watermarked_key, clean_thumbnail_key, watermarked_thumbnail_key) in (0, 4)
  ),
  constraint variations_have_a_picture check (
    clean_preview_key is not null or clean_key is not null
  )
);

-- What a picture can be adjusted with: cut-outs, background and measures, encrypted in the store.
-- Without its row, and so without its key, the object can't be read.
create table generation_layers (
  generation_id uuid not null,
  object_key text not null,
  encryption_key bytea not null,
  expires_at timestamp with time zone not null,
  more_made_at timestamp with time zone,
  constraint generation_layers_pkey primary key (generation_id),
  constraint generation_layers_generation_id_fkey
    foreign key (generation_id) references generations (id) on delete cascade,
  constraint generation_layers_key_of_256_bits check (octet_length(encryption_key) = 32)
);
create index generation_layers_by_expiry on generation_layers (expires_at);
