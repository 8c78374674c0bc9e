import type { HostedErrorKind } from '../vendors/hosted-error.ts'
import type { Generated } from 'kysely'

/** The rows of migration 0020, as Kysely sees them. int8 keys and amounts are texts. */
export interface AttemptTables {
  generation_attempts: GenerationAttemptsTable
  image_providers: ImageProvidersTable
}

/** See `providers/attempt-states.ts` for what each of them means, and what leads to it. */
export type AttemptState =
  | 'waiting'
  | 'granted'
  | 'submitting'
  | 'submitted'
  | 'submit_unknown'
  | 'answered'
  | 'fetched'
  | 'succeeded'
  | 'failed'

export interface GenerationAttemptsTable {
  id: Generated<string>
  generation_id: string
  user_id: string
  chain_position: number
  provider: string
  model: string
  prompt_version: string
  state: Generated<AttemptState>
  priority: Generated<number>
  request_id: string | null
  status_url: string | null
  response_url: string | null
  cancel_url: string | null
  queue_position: number | null
  busy_count: Generated<number>
  poll_count: Generated<number>
  output_url: string | null
  output_key: string | null
  /** Of the pictures behind the first one. */
  further_output_urls: Generated<string[]>
  further_output_keys: Generated<string[]>
  cost_micro_usd: Generated<string | number>
  error_kind: HostedErrorKind | null
  error_detail: string | null
  /** Of the person least like their photo, 0…1; null: not compared, or longer than 30 days ago. */
  likeness: number | null
  /** 1 where the same provider is asked once more. */
  repetition: Generated<number>
  created_at: Date
  /** When it is polled next, or may get a slot again. */
  next_look_at: Date
  deadline_at: Date
  submitted_at: Date | null
  answered_at: Date | null
  finished_at: Date | null
}

export interface ImageProvidersTable {
  name: string
  failures_in_row: Generated<number>
  open_until: Date | null
  last_error_kind: HostedErrorKind | null
  last_error_detail: string | null
  last_error_at: Date | null
  last_success_at: Date | null
}
