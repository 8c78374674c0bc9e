-- Made from the migrations by a test; never edited by hand.

create table blocked_pictures (
  generation_id uuid not null,
  kind text not null,
  hash bigint not null,
  created_at timestamp with time zone not null,
  constraint blocked_pictures_kind_known CHECK ((kind = ANY (ARRAY['picture'::text, 'user_photo'::text, 'star_photo'::text, 'second_star_photo'::text, 'background_photo'::text]))),
  constraint blocked_pictures_once PRIMARY KEY (generation_id, kind, hash)
);

create table credit_accounts (
  id bigint not null generated always as identity,
  kind text not null,
  name text,
  user_id uuid,
  balance integer,
  bought_total integer not null default 0,
  created_at timestamp with time zone not null default now(),
  owed integer not null default 0,
  is_unmarked boolean not null default false,
  unmarked_until timestamp with time zone,
  constraint credit_accounts_balance_not_negative CHECK ((balance >= 0)),
  constraint credit_accounts_balance_unless_system CHECK (((kind = 'system'::text) = (balance IS NULL))),
  constraint credit_accounts_bought_total_not_negative CHECK ((bought_total >= 0)),
  constraint credit_accounts_kind_known CHECK ((kind = ANY (ARRAY['user'::text, 'event'::text, 'system'::text]))),
  constraint credit_accounts_name_only_on_system CHECK (((kind = 'system'::text) = (name IS NOT NULL))),
  constraint credit_accounts_name_unique UNIQUE (name),
  constraint credit_accounts_owed_not_negative CHECK ((owed >= 0)),
  constraint credit_accounts_owed_only_on_user CHECK (((kind = 'user'::text) OR (owed = 0))),
  constraint credit_accounts_owed_only_without_balance CHECK (((owed = 0) OR (balance = 0))),
  constraint credit_accounts_pkey PRIMARY KEY (id),
  constraint credit_accounts_unmarked_ends_once_begun CHECK ((is_unmarked OR (unmarked_until IS NULL))),
  constraint credit_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint credit_accounts_user_only_on_user CHECK (((kind = 'user'::text) OR (user_id IS NULL))),
  constraint credit_accounts_user_unique UNIQUE (user_id)
);

create table credit_holds (
  id uuid not null default gen_random_uuid(),
  account_id bigint not null,
  amount integer not null,
  state text not null default 'held'::text,
  reference text not null,
  description text not null,
  attached_to text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  celebrity text,
  preparing_count integer not null default 0,
  constraint credit_holds_account_id_fkey FOREIGN KEY (account_id) REFERENCES credit_accounts(id),
  constraint credit_holds_amount_at_most_100 CHECK ((amount <= 100)),
  constraint credit_holds_amount_positive CHECK ((amount > 0)),
  constraint credit_holds_attached_to_unique UNIQUE (attached_to),
  constraint credit_holds_expire_after_start CHECK ((expires_at > created_at)),
  constraint credit_holds_pkey PRIMARY KEY (id),
  constraint credit_holds_preparing_count_not_negative CHECK ((preparing_count >= 0)),
  constraint credit_holds_reference_unique UNIQUE (account_id, reference),
  constraint credit_holds_settled_unless_held CHECK (((state = 'held'::text) = (settled_at IS NULL))),
  constraint credit_holds_state_known CHECK ((state = ANY (ARRAY['held'::text, 'captured'::text, 'released'::text, 'expired'::text])))
);

create table daily_changes (
  id bigint not null generated always as identity,
  day date not null,
  figure text not null,
  label text not null,
  amount bigint not null,
  constraint daily_changes_pkey PRIMARY KEY (id)
);

create table daily_figures (
  day date not null,
  figure text not null,
  label text not null,
  amount bigint not null,
  constraint daily_figures_pkey PRIMARY KEY (day, figure, label)
);

create table email_confirmations (
  token_hash bytea not null,
  user_id uuid not null,
  email text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint email_confirmations_pkey PRIMARY KEY (token_hash),
  constraint email_confirmations_token_hash_is_sha256 CHECK ((octet_length(token_hash) = 32)),
  constraint email_confirmations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table event_counts (
  event_id uuid not null,
  hour timestamp with time zone not null,
  star text not null,
  scene text not null,
  selfies integer not null,
  prints integer not null,
  constraint event_counts_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE,
  constraint event_counts_pkey PRIMARY KEY (event_id, hour, star, scene)
);

create table event_guests (
  user_id uuid not null,
  event_id uuid not null,
  kiosk_id uuid,
  consent_version text not null,
  joined_at timestamp with time zone not null,
  credits_until timestamp with time zone not null,
  hand_over_hash bytea,
  hand_over_until timestamp with time zone,
  kept_at timestamp with time zone,
  constraint event_guests_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE,
  constraint event_guests_hand_over_unique UNIQUE (hand_over_hash),
  constraint event_guests_hand_over_whole CHECK (((hand_over_hash IS NULL) = (hand_over_until IS NULL))),
  constraint event_guests_kiosk_id_fkey FOREIGN KEY (kiosk_id) REFERENCES event_links(id) ON DELETE SET NULL,
  constraint event_guests_pkey PRIMARY KEY (user_id),
  constraint event_guests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table event_links (
  id uuid not null default gen_random_uuid(),
  event_id uuid not null,
  role text not null,
  key_hash bytea not null,
  made_at timestamp with time zone not null,
  made_by text not null,
  token_hash bytea,
  opened_at timestamp with time zone,
  constraint event_links_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE,
  constraint event_links_hashes_are_sha256 CHECK (((octet_length(key_hash) = 32) AND (octet_length(token_hash) = 32))),
  constraint event_links_key_unique UNIQUE (key_hash),
  constraint event_links_opened_whole CHECK (((token_hash IS NULL) = (opened_at IS NULL))),
  constraint event_links_pkey PRIMARY KEY (id),
  constraint event_links_role_known CHECK ((role = ANY (ARRAY['kiosk'::text, 'moderator'::text, 'attendant'::text, 'wall'::text]))),
  constraint event_links_token_unique UNIQUE (token_hash)
);

create table event_prints (
  id uuid not null default gen_random_uuid(),
  event_id uuid not null,
  generation_id uuid not null,
  number integer not null,
  format text not null,
  created_at timestamp with time zone not null,
  printed_at timestamp with time zone,
  constraint event_prints_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE,
  constraint event_prints_format_known CHECK ((format = ANY (ARRAY['10x15'::text, 'strip'::text, 'square'::text]))),
  constraint event_prints_generation_id_fkey FOREIGN KEY (generation_id) REFERENCES generations(id) ON DELETE CASCADE,
  constraint event_prints_number_unique UNIQUE (event_id, number),
  constraint event_prints_once UNIQUE (generation_id, format),
  constraint event_prints_pkey PRIMARY KEY (id)
);

create table event_selfies (
  generation_id uuid not null,
  event_id uuid not null,
  wall text not null,
  asked_at timestamp with time zone not null,
  was_hidden boolean not null default false,
  constraint event_selfies_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE,
  constraint event_selfies_generation_id_fkey FOREIGN KEY (generation_id) REFERENCES generations(id) ON DELETE CASCADE,
  constraint event_selfies_pkey PRIMARY KEY (generation_id),
  constraint event_selfies_wall_known CHECK ((wall = ANY (ARRAY['private'::text, 'asked'::text, 'approved'::text, 'hidden'::text])))
);

create table events (
  id uuid not null default gen_random_uuid(),
  name text not null,
  title text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  deletion_days integer not null,
  languages text[] not null,
  consent jsonb not null,
  consent_version text not null,
  star_ids text[] not null,
  scenes text[] not null,
  background_key text,
  frame_key text,
  selfies_per_guest integer not null,
  print_formats text[] not null,
  has_wall boolean not null,
  account_id bigint not null,
  has_brand_mark boolean not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  deleted_at timestamp with time zone,
  constraint events_account_id_fkey FOREIGN KEY (account_id) REFERENCES credit_accounts(id),
  constraint events_account_unique UNIQUE (account_id),
  constraint events_deletion_days_in_range CHECK (((deletion_days >= 0) AND (deletion_days <= 90))),
  constraint events_end_after_start CHECK ((ends_at > starts_at)),
  constraint events_name_form CHECK ((name ~ '^[a-z0-9][a-z0-9-]{1,39}$'::text)),
  constraint events_pkey PRIMARY KEY (id),
  constraint events_print_formats_known CHECK ((print_formats <@ ARRAY['10x15'::text, 'strip'::text, 'square'::text])),
  constraint events_selfies_per_guest_in_range CHECK (((selfies_per_guest >= 1) AND (selfies_per_guest <= 20))),
  constraint events_something_to_choose CHECK (((cardinality(languages) > 0) AND (cardinality(star_ids) > 0) AND ((cardinality(scenes) > 0) OR (background_key IS NOT NULL)))),
  constraint events_title_not_empty CHECK ((title <> ''::text))
);

create table generation_attempts (
  id uuid not null default gen_random_uuid(),
  generation_id uuid not null,
  user_id uuid not null,
  chain_position integer not null,
  provider text not null,
  model text not null,
  prompt_version text not null,
  state text not null default 'waiting'::text,
  priority integer not null default 0,
  request_id text,
  status_url text,
  response_url text,
  cancel_url text,
  queue_position integer,
  busy_count integer not null default 0,
  poll_count integer not null default 0,
  output_url text,
  output_key text,
  cost_micro_usd bigint not null default 0,
  error_kind text,
  error_detail text,
  created_at timestamp with time zone not null,
  next_look_at timestamp with time zone not null,
  deadline_at timestamp with time zone not null,
  submitted_at timestamp with time zone,
  answered_at timestamp with time zone,
  finished_at timestamp with time zone,
  likeness real,
  repetition smallint not null default 0,
  further_output_urls text[] not null default '{}'::text[],
  further_output_keys text[] not null default '{}'::text[],
  constraint generation_attempts_cost_not_negative CHECK ((cost_micro_usd >= 0)),
  constraint generation_attempts_error_kind_known CHECK ((error_kind = ANY (ARRAY['policy_refused'::text, 'bad_input'::text, 'provider_busy'::text, 'provider_down'::text, 'timeout'::text, 'likeness_lost'::text, 'unknown'::text]))),
  constraint generation_attempts_failed_has_kind CHECK (((state = 'failed'::text) = (error_kind IS NOT NULL))),
  constraint generation_attempts_fetched_has_object CHECK (((state <> 'fetched'::text) OR (output_key IS NOT NULL))),
  constraint generation_attempts_finished_when_final CHECK (((state = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
  constraint generation_attempts_generation_id_fkey FOREIGN KEY (generation_id) REFERENCES generations(id) ON DELETE CASCADE,
  constraint generation_attempts_likeness_in_range CHECK (((likeness >= (0)::double precision) AND (likeness <= (1)::double precision))),
  constraint generation_attempts_one_per_repetition UNIQUE (generation_id, chain_position, repetition),
  constraint generation_attempts_outputs_at_most_four CHECK (((cardinality(further_output_urls) <= 3) AND (cardinality(further_output_keys) <= 3))),
  constraint generation_attempts_pkey PRIMARY KEY (id),
  constraint generation_attempts_repetition_known CHECK ((repetition = ANY (ARRAY[0, 1]))),
  constraint generation_attempts_request_unique UNIQUE (provider, request_id),
  constraint generation_attempts_sent_has_time CHECK (((state = ANY (ARRAY['waiting'::text, 'granted'::text, 'failed'::text])) OR (submitted_at IS NOT NULL))),
  constraint generation_attempts_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'granted'::text, 'submitting'::text, 'submitted'::text, 'submit_unknown'::text, 'answered'::text, 'fetched'::text, 'succeeded'::text, 'failed'::text]))),
  constraint generation_attempts_submitted_is_recoverable CHECK (((state <> 'submitted'::text) OR ((request_id IS NOT NULL) AND (status_url IS NOT NULL)))),
  constraint generation_attempts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table generation_layers (
  generation_id uuid not null,
  object_key text not null,
  encryption_key bytea not null,
  expires_at timestamp with time zone not null,
  more_made_at timestamp with time zone,
  constraint generation_layers_generation_id_fkey FOREIGN KEY (generation_id) REFERENCES generations(id) ON DELETE CASCADE,
  constraint generation_layers_key_of_256_bits CHECK ((octet_length(encryption_key) = 32)),
  constraint generation_layers_pkey PRIMARY KEY (generation_id)
);

create table generations (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  hold_id uuid not null,
  idempotency_key text,
  request_digest bytea not null,
  state text not null default 'running'::text,
  stage text not null default 'queued'::text,
  celebrity text not null,
  preset_id text,
  scene text,
  aspect text not null,
  resolution text not null,
  prompt text,
  user_face_index integer,
  star_face_index integer,
  consent_at timestamp with time zone,
  consent_version text,
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
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  deleted_at timestamp with time zone,
  share_id text,
  chain_position integer not null default 0,
  prompt_version text,
  user_photo_hash bigint,
  star_photo_hash bigint,
  picture_hash bigint,
  user_face_indexes integer[],
  second_preset_id text,
  second_star_face_index integer,
  second_star_photo_key text,
  second_star_photo_hash bigint,
  star_names text[],
  has_background_photo boolean not null default false,
  background_photo_key text,
  background_photo_hash bigint,
  stage_percent smallint not null default 0,
  look text not null default 'natural'::text,
  is_grey_advised boolean not null default false,
  grey_hints text[] not null default '{}'::text[],
  shared_variation_id uuid,
  constraint generations_background_has_hash CHECK (((has_background_photo = (background_photo_hash IS NOT NULL)) AND (has_background_photo OR (background_photo_key IS NULL)))),
  constraint generations_chain_position_not_negative CHECK ((chain_position >= 0)),
  constraint generations_done_has_pictures CHECK (((state <> 'done'::text) OR (deleted_at IS NOT NULL) OR ((clean_key IS NOT NULL) AND (watermarked_key IS NOT NULL) AND (width_px IS NOT NULL)))),
  constraint generations_failed_has_code CHECK (((state = 'failed'::text) = (error_code IS NOT NULL))),
  constraint generations_finished_unless_running CHECK (((state = 'running'::text) = (finished_at IS NULL))),
  constraint generations_four_heads_at_most CHECK (((COALESCE(cardinality(user_face_indexes), 1) + COALESCE(cardinality(star_names), 1)) <= 4)),
  constraint generations_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES credit_holds(id),
  constraint generations_hold_unique UNIQUE (hold_id),
  constraint generations_idempotency_key_unique UNIQUE (user_id, idempotency_key),
  constraint generations_only_done_is_shared CHECK (((share_id IS NULL) OR ((state = 'done'::text) AND (deleted_at IS NULL)))),
  constraint generations_pkey PRIMARY KEY (id),
  constraint generations_scene_or_background CHECK (((NOT has_background_photo) OR (scene IS NULL))),
  constraint generations_second_star_is_named CHECK (((star_names IS NOT NULL) OR ((second_preset_id IS NULL) AND (second_star_photo_key IS NULL) AND (second_star_photo_hash IS NULL)))),
  constraint generations_share_id_unique UNIQUE (share_id),
  constraint generations_stage_percent_at_most_all CHECK (((stage_percent >= 0) AND (stage_percent <= 100))),
  constraint generations_state_known CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text]))),
  constraint generations_two_stars_at_most CHECK ((cardinality(star_names) = 2)),
  constraint generations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table image_providers (
  name text not null,
  failures_in_row integer not null default 0,
  open_until timestamp with time zone,
  last_error_kind text,
  last_error_detail text,
  last_error_at timestamp with time zone,
  last_success_at timestamp with time zone,
  constraint image_providers_failures_not_negative CHECK ((failures_in_row >= 0)),
  constraint image_providers_pkey PRIMARY KEY (name)
);

create table input_checks (
  checked_at timestamp with time zone not null,
  inputs integer not null,
  oldest_age_seconds integer,
  overdue integer not null,
  constraint input_checks_overdue_within_inputs CHECK (((overdue >= 0) AND (overdue <= inputs))),
  constraint input_checks_pkey PRIMARY KEY (checked_at)
);

create table ledger_closing (
  only_row boolean not null default true,
  closed_to bigint not null default 0,
  marked_to bigint not null default 0,
  marked_writers text[] not null default '{}'::text[],
  constraint ledger_closing_mark_not_behind CHECK ((marked_to >= closed_to)),
  constraint ledger_closing_one_row CHECK (only_row),
  constraint ledger_closing_pkey PRIMARY KEY (only_row)
);

create table ledger_entries (
  id bigint not null generated always as identity,
  reference text not null,
  reason text not null,
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  amount integer not null,
  description text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  constraint ledger_entries_accounts_differ CHECK ((debit_account_id <> credit_account_id)),
  constraint ledger_entries_amount_positive CHECK ((amount > 0)),
  constraint ledger_entries_credit_account_id_fkey FOREIGN KEY (credit_account_id) REFERENCES credit_accounts(id),
  constraint ledger_entries_debit_account_id_fkey FOREIGN KEY (debit_account_id) REFERENCES credit_accounts(id),
  constraint ledger_entries_pkey PRIMARY KEY (id),
  constraint ledger_entries_reason_known CHECK ((reason = ANY (ARRAY['signup'::text, 'referral'::text, 'purchase'::text, 'usage'::text, 'correction'::text, 'voucher'::text, 'event'::text]))),
  constraint ledger_entries_reference_unique UNIQUE (reference)
);

create table ledger_totals (
  reason text not null,
  entries bigint not null default 0,
  amount bigint not null default 0,
  constraint ledger_totals_pkey PRIMARY KEY (reason)
);

create table legal_page_versions (
  id bigint not null generated always as identity,
  page text not null,
  texts jsonb not null,
  asks_again boolean not null default false,
  saved_at timestamp with time zone not null,
  saved_by text not null,
  version text,
  published_at timestamp with time zone,
  constraint legal_page_versions_only_terms_ask CHECK (((page = 'terms'::text) OR (NOT asks_again))),
  constraint legal_page_versions_page_known CHECK ((page = ANY (ARRAY['terms'::text, 'privacy'::text, 'imprint'::text]))),
  constraint legal_page_versions_pkey PRIMARY KEY (id),
  constraint legal_page_versions_published_whole CHECK (((version IS NULL) = (published_at IS NULL))),
  constraint legal_page_versions_version_unique UNIQUE (page, version)
);

create table moderation_log (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  act text not null,
  generation_id uuid,
  user_id uuid,
  report_id uuid,
  detail text not null default ''::text,
  constraint moderation_log_actor_known CHECK ((actor = ANY (ARRAY['operator'::text, 'reporter'::text, 'system'::text]))),
  constraint moderation_log_pkey PRIMARY KEY (id)
);

create table operator_checks (
  name text not null,
  checked_at timestamp with time zone not null,
  is_good boolean not null,
  finding text not null,
  constraint operator_checks_finding_bounded CHECK ((length(finding) <= 2000)),
  constraint operator_checks_pkey PRIMARY KEY (name)
);

create table operator_keys (
  token_hash bytea not null,
  kind text not null,
  name text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  id uuid not null default gen_random_uuid(),
  operator_id uuid,
  address text not null default ''::text,
  user_agent text not null default ''::text,
  constraint operator_keys_expire_after_start CHECK ((expires_at > created_at)),
  constraint operator_keys_kind_known CHECK ((kind = ANY (ARRAY['token'::text, 'session'::text]))),
  constraint operator_keys_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE,
  constraint operator_keys_pkey PRIMARY KEY (token_hash),
  constraint operator_keys_token_hash_is_sha256 CHECK ((octet_length(token_hash) = 32))
);

create table operator_log (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  operator_id uuid,
  operator_name text not null,
  act text not null,
  subject text not null,
  reason text not null default ''::text,
  before jsonb,
  after jsonb,
  outcome text,
  constraint operator_log_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE SET NULL,
  constraint operator_log_outcome_known CHECK ((outcome = ANY (ARRAY['done'::text, 'refused'::text, 'failed'::text]))),
  constraint operator_log_pkey PRIMARY KEY (id)
);

create table operator_recovery_codes (
  operator_id uuid not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint operator_recovery_codes_hash_is_sha256 CHECK ((octet_length(code_hash) = 32)),
  constraint operator_recovery_codes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE,
  constraint operator_recovery_codes_pkey PRIMARY KEY (operator_id, code_hash)
);

create table operators (
  id uuid not null default gen_random_uuid(),
  name text not null,
  role text not null,
  password_hash text not null,
  totp_secret bytea,
  totp_confirmed_at timestamp with time zone,
  totp_last_step bigint,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint operators_name_is_plain CHECK ((name ~ '^[a-z0-9][a-z0-9._@+-]{1,79}$'::text)),
  constraint operators_name_once UNIQUE (name),
  constraint operators_pkey PRIMARY KEY (id),
  constraint operators_role_known CHECK ((role = ANY (ARRAY['owner'::text, 'support'::text, 'moderator'::text]))),
  constraint operators_second_factor_has_secret CHECK (((totp_confirmed_at IS NULL) OR (totp_secret IS NOT NULL)))
);

create table order_flags (
  id bigint not null generated always as identity,
  provider text not null,
  payment_id text,
  order_id text,
  kind text not null,
  note text not null,
  created_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  resolution text,
  constraint order_flags_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint order_flags_pkey PRIMARY KEY (id),
  constraint order_flags_raised_once UNIQUE NULLS NOT DISTINCT (provider, payment_id, order_id, kind),
  constraint order_flags_resolved_with_reason CHECK (((resolved_at IS NULL) = (resolution IS NULL)))
);

create table orders (
  id text not null,
  user_id uuid,
  idempotency_key text,
  package_type text not null,
  price_cents integer not null,
  price_currency text not null default 'usd'::text,
  credits integer not null,
  status text not null default 'initiated'::text,
  provider text not null,
  invoice_id text,
  payment_url text,
  missing_amount numeric,
  missing_currency text,
  paid_late boolean not null default false,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  credited_at timestamp with time zone,
  reversed_at timestamp with time zone,
  next_search_at timestamp with time zone,
  search_count integer not null default 0,
  credits_granted integer,
  received_cents integer,
  constraint orders_completed_exactly_when_credited CHECK (((status = 'completed'::text) = (credited_at IS NOT NULL))),
  constraint orders_credits_bounded CHECK ((credits <= 100000)),
  constraint orders_credits_positive CHECK ((credits > 0)),
  constraint orders_granted_within_order CHECK (((credits_granted IS NULL) OR ((credits_granted >= 1) AND (credits_granted <= credits) AND (credited_at IS NOT NULL)))),
  constraint orders_id_form CHECK ((id ~ '^order_[0-9a-z]{1,12}_[0-9a-z]{6}$'::text)),
  constraint orders_idempotency_key_unique UNIQUE (user_id, idempotency_key),
  constraint orders_invoice_unique UNIQUE (provider, invoice_id),
  constraint orders_missing_amount_has_currency CHECK (((missing_amount IS NULL) = (missing_currency IS NULL))),
  constraint orders_missing_amount_positive CHECK ((missing_amount > (0)::numeric)),
  constraint orders_package_type_form CHECK ((package_type ~ '^[a-z][a-z0-9_-]{1,29}$'::text)),
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_price_bounded CHECK (((price_cents >= 50) AND (price_cents <= 1000000))),
  constraint orders_price_currency_is_dollar CHECK ((price_currency = 'usd'::text)),
  constraint orders_price_positive CHECK ((price_cents > 0)),
  constraint orders_provider_form CHECK ((provider ~ '^[a-z][a-z0-9_]{1,39}$'::text)),
  constraint orders_received_exactly_for_a_part CHECK ((((received_cents IS NOT NULL) = COALESCE((credits_granted < credits), false)) AND ((COALESCE(received_cents, 0) >= 0) AND (COALESCE(received_cents, 0) <= price_cents)))),
  constraint orders_reversed_only_after_credit CHECK (((reversed_at IS NULL) OR (credited_at IS NOT NULL))),
  constraint orders_status_known CHECK ((status = ANY (ARRAY['initiated'::text, 'pending'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'expired'::text]))),
  constraint orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);

create table password_resets (
  token_hash bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint password_resets_pkey PRIMARY KEY (token_hash),
  constraint password_resets_token_hash_is_sha256 CHECK ((octet_length(token_hash) = 32)),
  constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table payment_events (
  id bigint not null generated always as identity,
  provider text not null,
  payment_id text,
  order_id text,
  event text not null,
  detail text not null default ''::text,
  created_at timestamp with time zone not null,
  constraint payment_events_pkey PRIMARY KEY (id),
  constraint payment_events_told_once UNIQUE NULLS NOT DISTINCT (provider, payment_id, order_id, event, detail)
);

create table payments (
  provider text not null,
  payment_id text not null,
  order_id text,
  parent_payment_id text,
  state text not null default 'unread'::text,
  provider_status text,
  pay_currency text,
  pay_amount numeric,
  paid_amount numeric,
  provider_updated_at timestamp with time zone,
  credited boolean not null default false,
  first_seen_at timestamp with time zone not null,
  last_read_at timestamp with time zone,
  callback_count integer not null default 0,
  next_read_at timestamp with time zone,
  read_count integer not null default 0,
  settled_amount numeric,
  price_minor_units bigint,
  price_currency text,
  constraint payments_credit_belongs_to_order CHECK (((NOT credited) OR (order_id IS NOT NULL))),
  constraint payments_id_form CHECK ((payment_id ~ '^[A-Za-z0-9_-]{1,100}$'::text)),
  constraint payments_known_once PRIMARY KEY (provider, payment_id),
  constraint payments_noted TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint payments_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint payments_price_has_currency CHECK (((price_minor_units IS NULL) = (price_currency IS NULL))),
  constraint payments_provider_form CHECK ((provider ~ '^[a-z][a-z0-9_]{1,39}$'::text)),
  constraint payments_second_deposit_never_credits CHECK (((NOT credited) OR (parent_payment_id IS NULL))),
  constraint payments_settled_amount_not_negative CHECK ((settled_amount >= (0)::numeric)),
  constraint payments_state_known CHECK ((state = ANY (ARRAY['unread'::text, 'waiting'::text, 'processing'::text, 'partial'::text, 'finished'::text, 'failed'::text, 'refunded'::text, 'expired'::text, 'disputed'::text, 'unknown'::text, 'missing'::text])))
);

create table rate_limits (
  key character varying(255) not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);

create table referrals (
  referred_user_id uuid not null,
  referrer_user_id uuid,
  code text not null,
  address_hash bytea not null,
  bonus_granted boolean not null,
  created_at timestamp with time zone not null default now(),
  device_hash bytea,
  bonus_pending boolean not null default false,
  constraint referrals_bonus_pending_or_granted CHECK ((NOT (bonus_pending AND bonus_granted))),
  constraint referrals_not_of_oneself CHECK ((referred_user_id <> referrer_user_id)),
  constraint referrals_pkey PRIMARY KEY (referred_user_id),
  constraint referrals_referred_user_id_fkey FOREIGN KEY (referred_user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint referrals_referrer_user_id_fkey FOREIGN KEY (referrer_user_id) REFERENCES users(id) ON DELETE SET NULL
);

create table reports (
  id uuid not null default gen_random_uuid(),
  generation_id uuid,
  link text not null,
  reason text not null,
  details text not null,
  contact text not null,
  good_faith boolean not null,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  outcome text,
  note text,
  signature text,
  behalf text,
  language text,
  reminded_at timestamp with time zone,
  answered_at timestamp with time zone,
  constraint reports_answered_when_resolved CHECK (((answered_at IS NULL) OR (resolved_at IS NOT NULL))),
  constraint reports_behalf_known CHECK ((behalf = ANY (ARRAY['myself'::text, 'somebody_else'::text]))),
  constraint reports_due_within_48_hours CHECK (((due_at > created_at) AND (due_at <= (created_at + '48:00:00'::interval)))),
  constraint reports_made_in_good_faith CHECK (good_faith),
  constraint reports_outcome_known CHECK ((outcome = ANY (ARRAY['removed'::text, 'kept'::text, 'not_found'::text]))),
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_reason_known CHECK ((reason = ANY (ARRAY['depicts_me'::text, 'intimate'::text, 'minor'::text, 'impersonation'::text, 'copyright'::text, 'other'::text]))),
  constraint reports_resolved_with_outcome CHECK (((resolved_at IS NULL) = (outcome IS NULL))),
  constraint reports_signature_length CHECK (((char_length(signature) >= 3) AND (char_length(signature) <= 120)))
);

create table request_notes (
  request_id uuid not null,
  at timestamp with time zone not null,
  user_id uuid,
  call text not null,
  status smallint not null,
  code text,
  constraint request_notes_pkey PRIMARY KEY (request_id),
  constraint request_notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table schema_migrations (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table sessions (
  token_hash bytea not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  address text not null,
  user_agent text not null,
  constraint sessions_expire_after_start CHECK ((expires_at > created_at)),
  constraint sessions_id_unique UNIQUE (id),
  constraint sessions_pkey PRIMARY KEY (token_hash),
  constraint sessions_token_hash_is_sha256 CHECK ((octet_length(token_hash) = 32)),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table signup_credits (
  mailbox_hash bytea not null,
  granted_at timestamp with time zone not null,
  constraint signup_credits_mailbox_hash_is_hmac CHECK ((octet_length(mailbox_hash) = 32)),
  constraint signup_credits_once_per_mailbox PRIMARY KEY (mailbox_hash)
);

create table site_setting_changes (
  version bigint not null generated always as identity,
  key text not null,
  before jsonb,
  after jsonb,
  operator_name text not null,
  changed_at timestamp with time zone not null,
  constraint site_setting_changes_pkey PRIMARY KEY (version)
);

create table site_settings (
  key text not null,
  value jsonb not null,
  version bigint not null,
  constraint site_settings_pkey PRIMARY KEY (key)
);

create table star_places (
  star_id text not null,
  position integer not null,
  is_hidden boolean not null default false,
  constraint star_places_pkey PRIMARY KEY (star_id),
  constraint star_places_position_in_range CHECK ((("position" >= 0) AND ("position" <= 100000)))
);

create table stars (
  id text not null,
  name text not null,
  category text not null,
  line jsonb,
  licence text not null,
  attribution text not null,
  source text not null,
  consent_note text not null,
  ai_generated boolean not null default false,
  object_folder uuid not null,
  sample_count integer not null default 0,
  state text not null default 'draft'::text,
  created_at timestamp with time zone not null,
  created_by text not null,
  failure text,
  tight_crop boolean not null default false,
  licence_from text,
  licence_until text,
  licence_uses text not null default ''::text,
  constraint stars_failure_told CHECK (((state = 'failed'::text) <= (failure IS NOT NULL))),
  constraint stars_id_form CHECK ((id ~ '^[a-z0-9][a-z0-9-]{1,39}$'::text)),
  constraint stars_licence_days CHECK (((licence_from ~ '^\d{4}-\d\d-\d\d$'::text) AND (licence_until ~ '^\d{4}-\d\d-\d\d$'::text))),
  constraint stars_licence_in_order CHECK ((licence_from <= licence_until)),
  constraint stars_object_folder_unique UNIQUE (object_folder),
  constraint stars_pkey PRIMARY KEY (id),
  constraint stars_rights_told CHECK (((name <> ''::text) AND (licence <> ''::text) AND (consent_note <> ''::text))),
  constraint stars_state_known CHECK ((state = ANY (ARRAY['cutting'::text, 'failed'::text, 'draft'::text, 'published'::text, 'retired'::text])))
);

create table sweep_positions (
  prefix text not null,
  after_key text not null,
  constraint sweep_positions_pkey PRIMARY KEY (prefix)
);

create table tallies (
  subject text not null,
  provider text not null,
  state text not null,
  count bigint not null,
  constraint tallies_pkey PRIMARY KEY (subject, provider, state)
);

create table tally_changes (
  id bigint not null generated always as identity,
  subject text not null,
  provider text not null,
  state text not null,
  change integer not null,
  constraint tally_changes_pkey PRIMARY KEY (id)
);

create table user_devices (
  user_id uuid not null,
  device_hash bytea not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  constraint user_devices_known_once PRIMARY KEY (user_id, device_hash),
  constraint user_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table users (
  id uuid not null default gen_random_uuid(),
  email text not null,
  username text not null,
  password_hash text not null,
  referral_code text not null,
  status text not null default 'active'::text,
  created_at timestamp with time zone not null default now(),
  terms_version text,
  terms_at timestamp with time zone,
  email_confirmed_at timestamp with time zone,
  language text not null default 'en'::text,
  guest_of uuid,
  constraint users_email_is_lower_case CHECK ((email = lower(email))),
  constraint users_email_unique UNIQUE (email),
  constraint users_guest_of_fkey FOREIGN KEY (guest_of) REFERENCES events(id) DEFERRABLE INITIALLY DEFERRED,
  constraint users_language_form CHECK ((language ~ '^[a-z]{2,3}$'::text)),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_referral_code_unique UNIQUE (referral_code),
  constraint users_status_known CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text]))),
  constraint users_terms_have_time CHECK (((terms_version IS NULL) = (terms_at IS NULL)))
);

create table variations (
  id uuid not null default gen_random_uuid(),
  generation_id uuid not null,
  position integer not null,
  source text not null,
  arrangement jsonb,
  clean_preview_key text,
  watermarked_preview_key text,
  clean_key text,
  watermarked_key text,
  clean_thumbnail_key text,
  watermarked_thumbnail_key text,
  width_px integer not null,
  height_px integer not null,
  picture_hash bigint,
  created_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  look text,
  constraint variations_generation_id_fkey FOREIGN KEY (generation_id) REFERENCES generations(id) ON DELETE CASCADE,
  constraint variations_have_a_picture CHECK (((clean_preview_key IS NOT NULL) OR (clean_key IS NOT NULL))),
  constraint variations_look_or_arrangement CHECK (((look IS NULL) OR (arrangement IS NULL))),
  constraint variations_pkey PRIMARY KEY (id),
  constraint variations_position_not_negative CHECK (("position" >= 0)),
  constraint variations_position_unique UNIQUE (generation_id, "position"),
  constraint variations_previews_in_both_forms CHECK ((num_nulls(clean_preview_key, watermarked_preview_key) = ANY (ARRAY[0, 2]))),
  constraint variations_rendered_in_all_forms CHECK ((num_nulls(clean_key, watermarked_key, clean_thumbnail_key, watermarked_thumbnail_key) = ANY (ARRAY[0, 4]))),
  constraint variations_source_known CHECK ((source = ANY (ARRAY['made'::text, 'more'::text, 'adjusted'::text])))
);

create table voucher_batches (
  id uuid not null,
  name text not null,
  credits integer not null,
  uses_max integer not null,
  person_uses_max integer not null,
  codes integer not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  created_at timestamp with time zone not null,
  created_by text not null,
  voided_at timestamp with time zone,
  constraint voucher_batches_codes_in_range CHECK (((codes >= 1) AND (codes <= 1000))),
  constraint voucher_batches_credits_in_range CHECK (((credits >= 1) AND (credits <= 10000))),
  constraint voucher_batches_end_after_start CHECK ((ends_at > starts_at)),
  constraint voucher_batches_name_not_empty CHECK ((name <> ''::text)),
  constraint voucher_batches_person_uses_in_range CHECK (((person_uses_max >= 1) AND (person_uses_max <= 1000))),
  constraint voucher_batches_pkey PRIMARY KEY (id),
  constraint voucher_batches_rules_unique UNIQUE (id, credits, uses_max, person_uses_max),
  constraint voucher_batches_uses_in_range CHECK (((uses_max >= 1) AND (uses_max <= 1000000)))
);

create table voucher_redemptions (
  id uuid not null,
  voucher_id bigint not null,
  batch_id uuid not null,
  credits integer not null,
  uses_max integer not null,
  person_uses_max integer not null,
  use_number integer not null,
  person_use_number integer not null,
  user_id uuid,
  mailbox_hash bytea,
  idempotency_key text,
  redeemed_at timestamp with time zone not null,
  constraint voucher_redemptions_by_rules FOREIGN KEY (batch_id, credits, uses_max, person_uses_max) REFERENCES voucher_batches(id, credits, uses_max, person_uses_max),
  constraint voucher_redemptions_mailbox_hash_is_hmac CHECK ((octet_length(mailbox_hash) = 32)),
  constraint voucher_redemptions_of_voucher FOREIGN KEY (voucher_id, batch_id) REFERENCES vouchers(id, batch_id),
  constraint voucher_redemptions_person_use_allowed CHECK (((person_use_number >= 1) AND (person_use_number <= person_uses_max))),
  constraint voucher_redemptions_person_use_unique UNIQUE (batch_id, mailbox_hash, person_use_number),
  constraint voucher_redemptions_pkey PRIMARY KEY (id),
  constraint voucher_redemptions_repeat_unique UNIQUE (user_id, idempotency_key),
  constraint voucher_redemptions_use_allowed CHECK (((use_number >= 1) AND (use_number <= uses_max))),
  constraint voucher_redemptions_use_unique UNIQUE (voucher_id, use_number),
  constraint voucher_redemptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);

create table vouchers (
  id bigint not null generated always as identity,
  batch_id uuid not null,
  number integer not null,
  code_hash bytea not null,
  voided_at timestamp with time zone,
  constraint vouchers_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES voucher_batches(id),
  constraint vouchers_batch_unique UNIQUE (id, batch_id),
  constraint vouchers_code_hash_is_hmac CHECK ((octet_length(code_hash) = 32)),
  constraint vouchers_code_unique UNIQUE (code_hash),
  constraint vouchers_number_positive CHECK ((number > 0)),
  constraint vouchers_number_unique UNIQUE (batch_id, number),
  constraint vouchers_pkey PRIMARY KEY (id)
);

CREATE INDEX credit_holds_open_by_account ON public.credit_holds USING btree (account_id) WHERE (state = 'held'::text);
CREATE INDEX credit_holds_open_by_expiry ON public.credit_holds USING btree (expires_at) WHERE (state = 'held'::text);
CREATE INDEX credit_holds_shown_by_account ON public.credit_holds USING btree (account_id, COALESCE(settled_at, created_at) DESC) WHERE (state <> 'captured'::text);
CREATE INDEX email_confirmations_by_expiry ON public.email_confirmations USING btree (expires_at);
CREATE INDEX email_confirmations_by_user ON public.email_confirmations USING btree (user_id);
CREATE INDEX event_guests_by_event ON public.event_guests USING btree (event_id, joined_at);
CREATE INDEX event_links_by_event ON public.event_links USING btree (event_id);
CREATE INDEX event_selfies_by_event ON public.event_selfies USING btree (event_id, asked_at DESC);
CREATE UNIQUE INDEX events_name_unique ON public.events USING btree (name) WHERE (deleted_at IS NULL);
CREATE INDEX generation_attempts_by_user ON public.generation_attempts USING btree (user_id);
CREATE INDEX generation_attempts_likeness ON public.generation_attempts USING btree (created_at) WHERE (likeness IS NOT NULL);
CREATE INDEX generation_attempts_open ON public.generation_attempts USING btree (next_look_at) WHERE (state <> ALL (ARRAY['succeeded'::text, 'failed'::text]));
CREATE INDEX generation_attempts_spent ON public.generation_attempts USING btree (created_at) WHERE (cost_micro_usd > 0);
CREATE INDEX generation_attempts_unanswered_by_user ON public.generation_attempts USING btree (user_id, submitted_at) WHERE ((answered_at IS NULL) AND (submitted_at IS NOT NULL));
CREATE INDEX generation_attempts_waiting ON public.generation_attempts USING btree (priority DESC, created_at) WHERE (state = 'waiting'::text);
CREATE INDEX generation_layers_by_expiry ON public.generation_layers USING btree (expires_at);
CREATE INDEX generations_by_picture_hash ON public.generations USING btree (picture_hash) WHERE (picture_hash IS NOT NULL);
CREATE INDEX generations_by_user ON public.generations USING btree (user_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX generations_done_by_time ON public.generations USING btree (finished_at DESC) WHERE (state = 'done'::text);
CREATE INDEX generations_done_by_user ON public.generations USING btree (user_id) WHERE ((state = 'done'::text) AND (deleted_at IS NULL));
CREATE INDEX generations_failed_by_time ON public.generations USING btree (finished_at) WHERE (state = 'failed'::text);
CREATE UNIQUE INDEX generations_one_running_per_user ON public.generations USING btree (user_id) WHERE (state = 'running'::text);
CREATE INDEX generations_running ON public.generations USING btree (created_at) WHERE (state = 'running'::text);
CREATE INDEX generations_to_purge ON public.generations USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (clean_key IS NOT NULL));
CREATE INDEX generations_with_inputs ON public.generations USING btree (created_at) WHERE (user_photo_key IS NOT NULL);
CREATE INDEX ledger_entries_by_credit_account ON public.ledger_entries USING btree (credit_account_id, created_at DESC);
CREATE INDEX ledger_entries_by_debit_account ON public.ledger_entries USING btree (debit_account_id, created_at DESC);
CREATE UNIQUE INDEX legal_page_versions_one_draft ON public.legal_page_versions USING btree (page) WHERE (published_at IS NULL);
CREATE INDEX moderation_log_by_generation ON public.moderation_log USING btree (generation_id, id);
CREATE INDEX moderation_log_by_user ON public.moderation_log USING btree (user_id, id);
CREATE INDEX operator_keys_by_expiry ON public.operator_keys USING btree (expires_at);
CREATE UNIQUE INDEX operator_keys_by_id ON public.operator_keys USING btree (id);
CREATE INDEX operator_keys_by_operator ON public.operator_keys USING btree (operator_id);
CREATE INDEX operator_log_by_subject ON public.operator_log USING btree (subject, id);
CREATE INDEX order_flags_by_order ON public.order_flags USING btree (order_id);
CREATE INDEX order_flags_open ON public.order_flags USING btree (created_at) WHERE (resolved_at IS NULL);
CREATE INDEX orders_by_status ON public.orders USING btree (status, created_at);
CREATE INDEX orders_by_time ON public.orders USING btree (created_at);
CREATE INDEX orders_by_user ON public.orders USING btree (user_id, created_at DESC);
CREATE INDEX orders_open ON public.orders USING btree (created_at) WHERE (status = ANY (ARRAY['initiated'::text, 'pending'::text]));
CREATE INDEX orders_to_search ON public.orders USING btree (next_search_at) WHERE (next_search_at IS NOT NULL);
CREATE INDEX password_resets_by_user ON public.password_resets USING btree (user_id);
CREATE INDEX payment_events_by_order ON public.payment_events USING btree (order_id, id);
CREATE INDEX payments_by_order ON public.payments USING btree (order_id);
CREATE UNIQUE INDEX payments_credit_an_order_once ON public.payments USING btree (order_id) WHERE credited;
CREATE INDEX payments_to_read ON public.payments USING btree (next_read_at) WHERE (next_read_at IS NOT NULL);
CREATE INDEX rate_limits_by_expiry ON public.rate_limits USING btree (expire);
CREATE INDEX referrals_by_address ON public.referrals USING btree (address_hash, created_at);
CREATE INDEX referrals_by_device ON public.referrals USING btree (device_hash) WHERE (device_hash IS NOT NULL);
CREATE INDEX referrals_by_referrer ON public.referrals USING btree (referrer_user_id, created_at);
CREATE INDEX reports_by_generation ON public.reports USING btree (generation_id);
CREATE INDEX reports_by_time ON public.reports USING btree (created_at);
CREATE INDEX reports_open ON public.reports USING btree (due_at) WHERE (resolved_at IS NULL);
CREATE INDEX request_notes_by_time ON public.request_notes USING btree (at);
CREATE INDEX request_notes_by_user ON public.request_notes USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);
CREATE INDEX signup_credits_by_time ON public.signup_credits USING btree (granted_at);
CREATE INDEX site_setting_changes_by_key ON public.site_setting_changes USING btree (key, version);
CREATE INDEX user_devices_by_last_use ON public.user_devices USING brin (last_seen_at);
CREATE INDEX users_by_event ON public.users USING btree (guest_of) WHERE (guest_of IS NOT NULL);
CREATE INDEX users_by_time ON public.users USING btree (created_at);
CREATE INDEX variations_deleted ON public.variations USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX voucher_batches_by_time ON public.voucher_batches USING btree (created_at DESC);
CREATE INDEX voucher_redemptions_remembered ON public.voucher_redemptions USING btree (redeemed_at) WHERE (mailbox_hash IS NOT NULL);

CREATE OR REPLACE FUNCTION public.ask_wall_anew()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update event_selfies
    set wall = case wall when 'approved' then 'asked' else wall end,
      was_hidden = false,
      asked_at = greatest(asked_at + interval '1 millisecond', date_trunc('milliseconds', now()))
    where generation_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_entry_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  debited text;
  credited text;
begin
  select coalesce(name, kind) into debited from credit_accounts where id = new.debit_account_id;
  select coalesce(name, kind) into credited from credit_accounts where id = new.credit_account_id;
  if (new.reason, debited, credited) not in (
    ('signup', 'signup', 'user'),
    ('referral', 'referral', 'user'),
    ('purchase', 'purchase', 'user'),
    ('voucher', 'vouchers', 'user'),
    ('usage', 'user', 'usage'),
    ('usage', 'event', 'usage'),
    ('correction', 'user', 'correction'),
    ('correction', 'correction', 'user'),
    ('event', 'events', 'event'),
    ('event', 'event', 'events'),
    ('event', 'event', 'user'),
    ('event', 'user', 'event')
  ) then
    raise exception 'an entry of % moves no credits from % to %', new.reason, debited, credited
      using errcode = 'restrict_violation', constraint = 'ledger_entries_accounts_fit_reason';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_event_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from credit_accounts where id = new.account_id and kind = 'event') then
    raise exception 'account % is no budget', new.account_id
      using errcode = 'restrict_violation', constraint = 'events_account_is_budget';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_guests_selfies()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  selfies integer;
begin
  select selfies_per_guest into selfies
    from users join events on events.id = guest_of where users.id = new.user_id;
  if found and selfies < (
    select count(*) from generations where user_id = new.user_id and state <> 'failed') then
    raise exception 'guest % has made their % selfies', new.user_id, selfies
      using errcode = 'restrict_violation', constraint = 'generations_within_guests_number';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.end_link()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update generations set share_id = null where shared_variation_id = new.id and id = new.generation_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_retouch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update variations
    set arrangement = jsonb_set(arrangement, '{subjects}', (
      select jsonb_agg(subject - 'retouch' order by place)
      from jsonb_array_elements(arrangement -> 'subjects') with ordinality as each (subject, place)
    ))
    where generation_id = old.generation_id
      and jsonb_path_exists(arrangement, '$.subjects[*].retouch');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.is_of_test_money(purchase text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from orders where id = substr(purchase, 7) and purchase like 'order:%' and provider = 'sandbox')
$function$;

CREATE OR REPLACE FUNCTION public.keep_attempt_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.request_id is not null and new.request_id is distinct from old.request_id then
    raise exception 'attempt % was already ordered as %', old.id, old.request_id
      using errcode = 'restrict_violation', constraint = 'generation_attempts_ordered_once';
  end if;
  if old.state in ('succeeded', 'failed') and new.state <> old.state then
    raise exception 'attempt % has already %', old.id, old.state
      using errcode = 'restrict_violation', constraint = 'generation_attempts_final_is_final';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_order_terms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.id <> old.id
    or new.package_type <> old.package_type
    or new.price_cents <> old.price_cents
    or new.price_currency <> old.price_currency
    or new.credits <> old.credits
    or new.provider <> old.provider
    or new.created_at <> old.created_at
    or (new.user_id is not null and new.user_id is distinct from old.user_id) then
    raise exception 'the terms of order % are fixed', old.id
      using errcode = 'restrict_violation', constraint = 'orders_terms_are_fixed';
  end if;
  if old.credited_at is not null
    and (new.credited_at is distinct from old.credited_at
      or new.credits_granted is distinct from old.credits_granted
      or new.received_cents is distinct from old.received_cents) then
    raise exception 'order % is already credited', old.id
      using errcode = 'restrict_violation', constraint = 'orders_credited_once';
  end if;
  if old.reversed_at is not null and new.reversed_at is distinct from old.reversed_at then
    raise exception 'order % is already reversed', old.id
      using errcode = 'restrict_violation', constraint = 'orders_reversed_once';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_published_page()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.published_at is not null then
    raise exception 'version % of % is published and stays as it is', old.version, old.page
      using errcode = 'restrict_violation', constraint = 'legal_page_versions_published_is_final';
  end if;
  return coalesce(new, old);
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_retired_star()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or (old.state = 'retired' and new.state <> 'retired') then
    raise exception 'star % is retired for good', old.id
      using errcode = 'restrict_violation', constraint = 'stars_retired_is_final';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_settled_hold()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.state <> 'held' then
    raise exception 'hold % is already %', old.id, old.state
      using errcode = 'restrict_violation', constraint = 'credit_holds_settled_is_final';
  end if;
  if new.amount <> old.amount or new.account_id <> old.account_id
    and not exists (select from credit_accounts where id = new.account_id and kind = 'event') then
    raise exception 'the amount and the account of hold % are fixed', old.id
      using errcode = 'restrict_violation', constraint = 'credit_holds_amount_is_fixed';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_daily(moment timestamp with time zone, figure text, label text, amount bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into daily_changes (day, figure, label, amount)
  select (moment at time zone 'UTC')::date, figure, left(label, 120), amount where amount <> 0;
$function$;

CREATE OR REPLACE FUNCTION public.note_finished_generation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.state = 'done' then
    perform note_daily(new.finished_at, 'selfies',
      selfie_time_step(new.created_at, new.finished_at), 1);
  else
    perform note_daily(new.finished_at, 'failures', coalesce(new.error_code, ''), 1);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_first_purchase()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Of two at once one waits here, and then sees the other.
  perform from credit_accounts where id = new.credit_account_id for no key update;
  if not is_of_test_money(new.reference) and not exists (
    select from ledger_entries
    where credit_account_id = new.credit_account_id and id <> new.id
      and reason = 'purchase' and not is_of_test_money(reference)) then
    perform note_daily(new.created_at, 'first_purchases', '', 1);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_model_cost()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  added bigint := new.cost_micro_usd - case when tg_op = 'UPDATE' then old.cost_micro_usd else 0 end;
begin
  perform note_daily(new.created_at, 'model_cost_micro_usd', new.provider, added);
  perform note_daily(new.created_at, 'model_spend_micro_usd',
    new.provider || ':' || new.model, added);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_model_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_daily(new.created_at, 'model_requests', new.provider || ':' || new.model, 1);
  if new.state = 'failed' then
    perform note_daily(new.created_at, 'model_failures', new.provider || ':' || new.model, 1);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_new_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_daily(new.created_at, 'people', '', 1);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_order_money()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  received constant integer := coalesce(new.received_cents, new.price_cents);
begin
  if new.provider = 'sandbox' then
    if old.credited_at is null and new.credited_at is not null then
      perform note_daily(new.credited_at, 'test_purchases', '', 1);
      perform note_daily(new.credited_at, 'test_money_cents', '', received);
    end if;
    return null;
  end if;
  if old.credited_at is null and new.credited_at is not null then
    perform note_daily(new.credited_at, 'purchases', '', 1);
    perform note_daily(new.credited_at, 'revenue_cents', '', received);
  end if;
  if old.reversed_at is null and new.reversed_at is not null then
    perform note_daily(new.reversed_at, 'refunds', '', 1);
    perform note_daily(new.reversed_at, 'refunded_cents', '', received);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_payment_coin()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.credited then
    return null;
  end if;
  perform note_daily(orders.credited_at, 'coin_cents', lower(coalesce(new.pay_currency, '?')),
    coalesce(orders.received_cents, orders.price_cents))
  from orders where orders.id = new.order_id and orders.provider <> 'sandbox';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_received_cents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select least(new.price_cents,
    round(new.price_cents * coalesce(sum(least(settled_amount, paid_amount) / pay_amount), 0)))
  into new.received_cents
  from payments
  where order_id = new.id
    and parent_payment_id is null
    and state in ('partial', 'finished')
    and pay_amount > 0
    and price_minor_units = new.price_cents
    and price_currency = new.price_currency;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_redemption()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_daily(new.redeemed_at, 'voucher_redemptions', '', 1);
  perform note_daily(new.redeemed_at, 'voucher_credits', '', new.credits);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_referral()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    perform note_daily(new.created_at, 'referrals', '', 1);
  end if;
  if new.bonus_granted and (tg_op = 'INSERT' or not old.bonus_granted) then
    perform note_daily(now(), 'referral_bonuses', '', 1);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.pay_owed_first()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  paid constant integer := least(new.balance, new.owed);
begin
  new.balance := new.balance - paid;
  new.owed := new.owed - paid;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.recount_daily_figures()
 RETURNS void
 LANGUAGE sql
AS $function$
  lock table users, credit_accounts, orders, payments, generations, generation_attempts, referrals,
    voucher_redemptions in share row exclusive mode;
  delete from daily_changes;
  delete from daily_figures where day > (now() at time zone 'UTC')::date - 100;
  insert into daily_figures (day, figure, label, amount)
  select (moment at time zone 'UTC')::date as on_day, figure, label, sum(amount)
  from (
    select finished_at as moment, 'selfies' as figure,
      selfie_time_step(created_at, finished_at) as label, 1 as amount
    from generations where state = 'done'
    union all
    select finished_at, 'failures', coalesce(error_code, ''), 1 from generations
      where state = 'failed'
    union all select created_at, 'people', '', 1 from users where guest_of is null
    union all
    select min(created_at), 'first_purchases', '', 1 from ledger_entries
      where reason = 'purchase' and not is_of_test_money(reference) group by credit_account_id
    union all
    select credited_at, case provider when 'sandbox' then 'test_purchases' else 'purchases' end, '', 1
    from orders where credited_at is not null
    union all
    select credited_at, case provider when 'sandbox' then 'test_money_cents' else 'revenue_cents' end,
      '', coalesce(received_cents, price_cents)
    from orders where credited_at is not null
    union all
    select reversed_at, 'refunds', '', 1 from orders
      where reversed_at is not null and provider <> 'sandbox'
    union all
    select reversed_at, 'refunded_cents', '', coalesce(received_cents, price_cents) from orders
      where reversed_at is not null and provider <> 'sandbox'
    union all
    select orders.credited_at, 'coin_cents', left(lower(coalesce(pay_currency, '?')), 40),
      coalesce(received_cents, price_cents)
    from payments join orders on orders.id = payments.order_id
    where payments.credited and orders.provider <> 'sandbox'
    union all
    select created_at, 'model_cost_micro_usd', left(provider, 40), cost_micro_usd
      from generation_attempts where cost_micro_usd > 0
    union all
    select created_at, 'model_spend_micro_usd', left(provider || ':' || model, 120), cost_micro_usd
      from generation_attempts where cost_micro_usd > 0
    union all
    select created_at, 'model_requests', left(provider || ':' || model, 120), 1
      from generation_attempts where state in ('succeeded', 'failed') and submitted_at is not null
    union all
    select created_at, 'model_failures', left(provider || ':' || model, 120), 1
      from generation_attempts where state = 'failed' and submitted_at is not null
    union all select created_at, 'referrals', '', 1 from referrals
    union all select created_at, 'referral_bonuses', '', 1 from referrals where bonus_granted
    union all select redeemed_at, 'voucher_redemptions', '', 1 from voucher_redemptions
    union all select redeemed_at, 'voucher_credits', '', credits from voucher_redemptions
  ) as noted
  where moment >= ((now() at time zone 'UTC')::date - 99)::timestamp at time zone 'UTC'
  group by on_day, figure, label;
$function$;

CREATE OR REPLACE FUNCTION public.recount_tallies()
 RETURNS void
 LANGUAGE sql
AS $function$
  lock table users, orders, payments, credit_holds, voucher_redemptions
    in share row exclusive mode;
  delete from tally_changes;
  delete from tallies;
  insert into tallies (subject, provider, state, count)
  select 'users', '', status, count(*) from users group by status
  union all
  select 'orders', provider, status, count(*) from orders group by provider, status
  union all
  select 'payments', provider, state, count(*) from payments group by provider, state
  union all
  select 'credit_holds', '', state, count(*) from credit_holds
    where state in ('released', 'expired') group by state
  union all
  select 'voucher_redemptions', batch_id::text, 'redeemed', count(*) from voucher_redemptions
    group by batch_id;
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only: correct an entry by another entry', tg_table_name
    using errcode = 'restrict_violation', constraint = tg_table_name || '_append_only';
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_more_than_came()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  share numeric;
begin
  select sum(least(settled_amount, paid_amount) / pay_amount) into share
  from payments
  where order_id = new.id
    and parent_payment_id is null
    and state in ('partial', 'finished')
    and pay_amount > 0
    and price_minor_units = new.price_cents
    and price_currency = new.price_currency;
  -- A millionth is what dividing rounds.
  if new.credits_granted > new.credits * coalesce(share, 0) + 0.000001 then
    raise exception 'the payments of order % are not worth % credits', new.id, new.credits_granted
      using errcode = 'restrict_violation', constraint = 'orders_granted_within_payments';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.selfie_time_step(started timestamp with time zone, finished timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select ceil(ln(greatest(extract(epoch from finished - started), 0.1)) / ln(1.25))::integer::text;
$function$;

CREATE OR REPLACE FUNCTION public.share_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.shared_variation_id := case when new.share_id is not null then (
    select id from variations where generation_id = new.id and clean_key = new.clean_key) end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_returned_hold()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into tally_changes (subject, provider, state, change)
  values ('credit_holds', '', new.state, 1);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.tally_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and to_jsonb(old) ->> tg_argv[0] = to_jsonb(new) ->> tg_argv[0] then
    return null;
  end if;
  insert into tally_changes (subject, provider, state, change)
  select tg_table_name, coalesce(content ->> 'provider', ''), content ->> tg_argv[0], side
  from (values (to_jsonb(old), -1), (to_jsonb(new), 1)) as changed (content, side)
  where content is not null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.tally_voucher_redemption()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into tally_changes (subject, provider, state, change)
  values ('voucher_redemptions', new.batch_id::text, 'redeemed', 1);
  return null;
end
$function$;

CREATE TRIGGER credit_accounts_pay_owed_first BEFORE UPDATE ON public.credit_accounts FOR EACH ROW WHEN (((new.owed > 0) AND (new.balance > 0))) EXECUTE FUNCTION pay_owed_first();
CREATE TRIGGER credit_holds_never_deleted BEFORE DELETE ON public.credit_holds FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_holds_settled_is_final BEFORE UPDATE ON public.credit_holds FOR EACH ROW EXECUTE FUNCTION keep_settled_hold();
CREATE TRIGGER credit_holds_tallied AFTER UPDATE OF state ON public.credit_holds FOR EACH ROW WHEN ((new.state = ANY (ARRAY['released'::text, 'expired'::text]))) EXECUTE FUNCTION tally_returned_hold();
CREATE TRIGGER events_account_is_budget AFTER INSERT OR UPDATE OF account_id ON public.events FOR EACH ROW EXECUTE FUNCTION check_event_account();
CREATE TRIGGER generation_attempts_ended AFTER UPDATE OF state ON public.generation_attempts FOR EACH ROW WHEN (((old.state <> ALL (ARRAY['succeeded'::text, 'failed'::text])) AND (new.state = ANY (ARRAY['succeeded'::text, 'failed'::text])) AND (new.submitted_at IS NOT NULL))) EXECUTE FUNCTION note_model_end();
CREATE TRIGGER generation_attempts_noted AFTER INSERT OR UPDATE OF cost_micro_usd ON public.generation_attempts FOR EACH ROW EXECUTE FUNCTION note_model_cost();
CREATE TRIGGER generation_attempts_ordered_once BEFORE UPDATE ON public.generation_attempts FOR EACH ROW EXECUTE FUNCTION keep_attempt_request();
CREATE TRIGGER generation_layers_forget_retouch AFTER DELETE ON public.generation_layers FOR EACH ROW EXECUTE FUNCTION forget_retouch();
CREATE TRIGGER generations_ask_wall_anew AFTER UPDATE OF clean_key ON public.generations FOR EACH ROW WHEN ((old.clean_key IS DISTINCT FROM new.clean_key)) EXECUTE FUNCTION ask_wall_anew();
CREATE TRIGGER generations_noted AFTER UPDATE OF state ON public.generations FOR EACH ROW WHEN (((old.state = 'running'::text) AND (new.state <> 'running'::text))) EXECUTE FUNCTION note_finished_generation();
CREATE TRIGGER generations_share_version BEFORE UPDATE OF share_id ON public.generations FOR EACH ROW EXECUTE FUNCTION share_version();
CREATE TRIGGER generations_within_guests_number AFTER INSERT ON public.generations FOR EACH ROW EXECUTE FUNCTION count_guests_selfies();
CREATE TRIGGER ledger_entries_accounts_fit_reason AFTER INSERT ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION check_entry_accounts();
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_never_truncated BEFORE TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_noted AFTER INSERT ON public.ledger_entries FOR EACH ROW WHEN ((new.reason = 'purchase'::text)) EXECUTE FUNCTION note_first_purchase();
CREATE TRIGGER legal_page_versions_published_is_final BEFORE DELETE OR UPDATE ON public.legal_page_versions FOR EACH ROW EXECUTE FUNCTION keep_published_page();
CREATE TRIGGER moderation_log_append_only BEFORE DELETE OR UPDATE ON public.moderation_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER moderation_log_never_truncated BEFORE TRUNCATE ON public.moderation_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER orders_granted_within_payments AFTER UPDATE OF credits_granted ON public.orders FOR EACH ROW WHEN ((new.credits_granted IS DISTINCT FROM old.credits_granted)) EXECUTE FUNCTION refuse_more_than_came();
CREATE TRIGGER orders_never_deleted BEFORE DELETE ON public.orders FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER orders_noted AFTER UPDATE OF credited_at, reversed_at ON public.orders FOR EACH ROW EXECUTE FUNCTION note_order_money();
CREATE TRIGGER orders_received BEFORE UPDATE OF credits_granted ON public.orders FOR EACH ROW WHEN (((old.credits_granted IS NULL) AND (new.credits_granted < new.credits))) EXECUTE FUNCTION note_received_cents();
CREATE TRIGGER orders_tallied AFTER INSERT OR UPDATE OF status ON public.orders FOR EACH ROW EXECUTE FUNCTION tally_row('status');
CREATE TRIGGER orders_terms_are_fixed BEFORE UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION keep_order_terms();
CREATE TRIGGER payment_events_append_only BEFORE DELETE OR UPDATE ON public.payment_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER payments_noted AFTER INSERT OR UPDATE OF credited ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.credited) EXECUTE FUNCTION note_payment_coin();
CREATE TRIGGER payments_tallied AFTER INSERT OR DELETE OR UPDATE OF state ON public.payments FOR EACH ROW EXECUTE FUNCTION tally_row('state');
CREATE TRIGGER referrals_noted AFTER INSERT OR UPDATE OF bonus_granted ON public.referrals FOR EACH ROW EXECUTE FUNCTION note_referral();
CREATE TRIGGER stars_retired_is_final BEFORE DELETE OR UPDATE ON public.stars FOR EACH ROW EXECUTE FUNCTION keep_retired_star();
CREATE TRIGGER users_kept AFTER UPDATE OF guest_of ON public.users FOR EACH ROW WHEN (((old.guest_of IS NOT NULL) AND (new.guest_of IS NULL))) EXECUTE FUNCTION note_new_user();
CREATE TRIGGER users_noted AFTER INSERT ON public.users FOR EACH ROW WHEN ((new.guest_of IS NULL)) EXECUTE FUNCTION note_new_user();
CREATE TRIGGER users_tallied AFTER INSERT OR DELETE OR UPDATE OF status ON public.users FOR EACH ROW EXECUTE FUNCTION tally_row('status');
CREATE TRIGGER variations_end_link AFTER UPDATE OF deleted_at ON public.variations FOR EACH ROW WHEN ((new.deleted_at IS NOT NULL)) EXECUTE FUNCTION end_link();
CREATE TRIGGER voucher_redemptions_noted AFTER INSERT ON public.voucher_redemptions FOR EACH ROW EXECUTE FUNCTION note_redemption();
CREATE TRIGGER voucher_redemptions_tallied AFTER INSERT ON public.voucher_redemptions FOR EACH ROW EXECUTE FUNCTION tally_voucher_redemption();
