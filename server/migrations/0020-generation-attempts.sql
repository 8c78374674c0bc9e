-- Orders at hosted image models: what was asked of whom, once, and how it ended.

alter table generations
  -- Place in the operator's chain of makers that is being asked or has made the picture.
  add column chain_position integer not null default 0,
  -- Version of the prompt's template; null for pictures of the embedded compositor.
  add column prompt_version text,
  add constraint generations_chain_position_not_negative check (chain_position >= 0);
-- For the medians of the waiting time.
create index generations_done_by_time on generations (finished_at desc) where state = 'done';

create table generation_attempts (
  id uuid primary key default gen_random_uuid(),
  generation_id uuid not null references generations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  chain_position integer not null,
  provider text not null,
  model text not null,
  prompt_version text not null,
  -- waiting: for its turn; granted: has its turn, nothing was sent; submitting: something may have
  -- been sent; submitted: accepted; submit_unknown: perhaps accepted; answered: the vendor has made
  -- the picture; fetched: we have it; succeeded and failed are final.
  state text not null default 'waiting',
  priority integer not null default 0,
  -- Written before anything waits for the answer.
  request_id text,
  status_url text,
  response_url text,
  cancel_url text,
  queue_position integer,
  -- Times that the vendor turned the order away for now, so that nothing was accepted.
  busy_count integer not null default 0,
  poll_count integer not null default 0,
  fetch_count integer not null default 0,
  -- Where the vendor keeps the picture, then the object that we keep until it is finished.
  output_url text,
  output_key text,
  -- Millionths of a US dollar: the price while it may be charged, 0 when it surely isn't.
  cost_micro_usd bigint not null default 0,
  error_kind text,
  error_detail text,
  created_at timestamptz not null,
  -- Nothing is done before: a turned-away order, the next poll.
  next_look_at timestamptz not null,
  -- Given up when this is over.
  deadline_at timestamptz not null,
  submitted_at timestamptz,
  -- When the vendor told how it ended, also after we had given up.
  answered_at timestamptz,
  finished_at timestamptz,
  -- One order for each maker of one charge, however often a job runs.
  constraint generation_attempts_one_per_maker unique (generation_id, chain_position),
  constraint generation_attempts_request_unique unique (provider, request_id),
  constraint generation_attempts_state_known check (
    state in (
      'waiting', 'granted', 'submitting', 'submitted', 'submit_unknown', 'answered', 'fetched',
      'succeeded', 'failed'
    )
  ),
  constraint generation_attempts_error_kind_known check (
    error_kind in (
      'policy_refused', 'bad_input', 'provider_busy', 'provider_down', 'timeout', 'unknown'
    )
  ),
  constraint generation_attempts_failed_has_kind check ((state = 'failed') = (error_kind is not null)),
  constraint generation_attempts_finished_when_final check (
    (state in ('succeeded', 'failed')) = (finished_at is not null)
  ),
  constraint generation_attempts_submitted_is_recoverable check (
    state <> 'submitted' or (request_id is not null and status_url is not null)
  ),
  constraint generation_attempts_sent_has_time check (
    state in ('waiting', 'granted', 'failed') or submitted_at is not null
  ),
  constraint generation_attempts_cost_not_negative check (cost_micro_usd >= 0),
  constraint generation_attempts_fetched_has_object check (
    state <> 'fetched' or output_key is not null
  )
);
create index generation_attempts_open on generation_attempts (next_look_at)
  where state not in ('succeeded', 'failed');
create index generation_attempts_waiting on generation_attempts (priority desc, created_at)
  where state = 'waiting';
create index generation_attempts_spent on generation_attempts (created_at)
  where cost_micro_usd > 0;
create index generation_attempts_unanswered_by_user on generation_attempts (user_id, submitted_at)
  where answered_at is null and submitted_at is not null;

-- The database itself refuses a second order within one charge.
create function keep_attempt_request() returns trigger language plpgsql as $$
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
$$;
create trigger generation_attempts_ordered_once
  before update on generation_attempts
  for each row execute function keep_attempt_request();

-- The circuit breaker, shared by all nodes: after several failures in a row a maker is left alone
-- for a while, then tried with one order.
create table image_providers (
  -- Provider and model, as in the chain: fal:fal-ai/nano-banana/edit.
  name text primary key,
  failures_in_row integer not null default 0,
  open_until timestamptz,
  last_error_kind text,
  last_error_detail text,
  last_error_at timestamptz,
  last_success_at timestamptz,
  constraint image_providers_failures_not_negative check (failures_in_row >= 0)
);
