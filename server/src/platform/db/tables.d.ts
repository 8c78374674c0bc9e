// Made from schema.sql and column-types.ts by a test; never edited by hand.

import type { Generated } from 'kysely'
import type { ColumnTypes } from './column-types.ts'

export interface BlockedPicturesTable {
  generation_id: string
  kind: 'picture' | 'user_photo' | 'star_photo' | 'second_star_photo' | 'background_photo'
  hash: string
  created_at: Date
}

export interface CreditAccountsTable {
  id: Generated<string>
  kind: 'user' | 'event' | 'system'
  name: string | null
  user_id: string | null
  balance: number | null
  bought_total: Generated<number>
  created_at: ColumnTypes['credit_accounts.created_at']
  owed: Generated<number>
  is_unmarked: Generated<boolean>
  unmarked_until: Date | null
}

export interface CreditHoldsTable {
  id: Generated<string>
  account_id: string
  amount: number
  state: Generated<'held' | 'captured' | 'released' | 'expired'>
  reference: string
  description: string
  attached_to: string | null
  created_at: Date
  expires_at: Date
  settled_at: Date | null
  celebrity: string | null
  preparing_count: Generated<number>
}

export interface DailyChangesTable {
  id: Generated<string>
  day: Date
  figure: string
  label: string
  amount: string
}

export interface DailyFiguresTable {
  day: Date
  figure: string
  label: string
  amount: string
}

export interface EmailConfirmationsTable {
  token_hash: Buffer
  user_id: string
  email: string
  created_at: Date
  expires_at: Date
}

export interface EventCountsTable {
  event_id: string
  hour: Date
  star: string
  scene: string
  selfies: number
  prints: number
}

export interface EventGuestsTable {
  user_id: string
  event_id: string
  kiosk_id: string | null
  consent_version: string
  joined_at: Date
  credits_until: Date
  hand_over_hash: Buffer | null
  hand_over_until: Date | null
  kept_at: Date | null
}

export interface EventLinksTable {
  id: Generated<string>
  event_id: string
  role: 'kiosk' | 'moderator' | 'attendant' | 'wall'
  key_hash: Buffer
  made_at: Date
  made_by: string
  token_hash: Buffer | null
  opened_at: Date | null
}

export interface EventPrintsTable {
  id: Generated<string>
  event_id: string
  generation_id: string
  number: number
  format: '10x15' | 'strip' | 'square'
  created_at: Date
  printed_at: Date | null
}

export interface EventSelfiesTable {
  generation_id: string
  event_id: string
  wall: 'private' | 'asked' | 'approved' | 'hidden'
  asked_at: Date
  was_hidden: Generated<boolean>
}

export interface EventsTable {
  id: Generated<string>
  name: string
  title: string
  starts_at: Date
  ends_at: Date
  deletion_days: number
  languages: ColumnTypes['events.languages']
  consent: ColumnTypes['events.consent']
  consent_version: string
  star_ids: string[]
  scenes: ColumnTypes['events.scenes']
  background_key: string | null
  frame_key: string | null
  selfies_per_guest: number
  print_formats: ColumnTypes['events.print_formats']
  has_wall: boolean
  account_id: string
  has_brand_mark: boolean
  created_at: Date
  created_by: string
  deleted_at: Date | null
}

export interface GenerationAttemptsTable {
  id: Generated<string>
  generation_id: string
  user_id: string
  chain_position: number
  provider: string
  model: string
  prompt_version: string
  state: Generated<'waiting' | 'granted' | 'submitting' | 'submitted' | 'submit_unknown' | 'answered' | 'fetched' | 'succeeded' | 'failed'>
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
  cost_micro_usd: ColumnTypes['generation_attempts.cost_micro_usd']
  error_kind: 'policy_refused' | 'bad_input' | 'provider_busy' | 'provider_down' | 'timeout' | 'likeness_lost' | 'unknown' | null
  error_detail: string | null
  created_at: Date
  next_look_at: Date
  deadline_at: Date
  submitted_at: Date | null
  answered_at: Date | null
  finished_at: Date | null
  likeness: number | null
  repetition: Generated<number>
  further_output_urls: Generated<string[]>
  further_output_keys: Generated<string[]>
}

export interface GenerationLayersTable {
  generation_id: string
  object_key: string
  encryption_key: Buffer
  expires_at: Date
  more_made_at: Date | null
}

export interface GenerationsTable {
  id: Generated<string>
  user_id: string
  hold_id: string
  idempotency_key: string | null
  request_digest: Buffer
  state: Generated<'running' | 'done' | 'failed'>
  stage: ColumnTypes['generations.stage']
  celebrity: string
  preset_id: string | null
  scene: ColumnTypes['generations.scene']
  aspect: ColumnTypes['generations.aspect']
  resolution: ColumnTypes['generations.resolution']
  prompt: string | null
  user_face_index: number | null
  star_face_index: number | null
  consent_at: Date | null
  consent_version: string | null
  user_photo_key: string | null
  star_photo_key: string | null
  clean_key: string | null
  watermarked_key: string | null
  clean_thumbnail_key: string | null
  watermarked_thumbnail_key: string | null
  width_px: number | null
  height_px: number | null
  provider: string | null
  model: string | null
  error_code: string | null
  created_at: Date
  finished_at: Date | null
  deleted_at: Date | null
  share_id: string | null
  chain_position: Generated<number>
  prompt_version: string | null
  user_photo_hash: string | null
  star_photo_hash: string | null
  picture_hash: string | null
  user_face_indexes: number[] | null
  second_preset_id: string | null
  second_star_face_index: number | null
  second_star_photo_key: string | null
  second_star_photo_hash: string | null
  star_names: string[] | null
  has_background_photo: Generated<boolean>
  background_photo_key: string | null
  background_photo_hash: string | null
  stage_percent: Generated<number>
  look: ColumnTypes['generations.look']
  is_grey_advised: Generated<boolean>
  grey_hints: ColumnTypes['generations.grey_hints']
  shared_variation_id: string | null
}

export interface ImageProvidersTable {
  name: string
  failures_in_row: Generated<number>
  open_until: Date | null
  last_error_kind: string | null
  last_error_detail: string | null
  last_error_at: Date | null
  last_success_at: Date | null
}

export interface InputChecksTable {
  checked_at: Date
  inputs: number
  oldest_age_seconds: number | null
  overdue: number
}

export interface LedgerClosingTable {
  only_row: Generated<boolean>
  closed_to: Generated<string>
  marked_to: Generated<string>
  marked_writers: Generated<string[]>
}

export interface LedgerEntriesTable {
  id: Generated<string>
  reference: string
  reason: 'signup' | 'referral' | 'purchase' | 'usage' | 'correction' | 'voucher' | 'event'
  debit_account_id: string
  credit_account_id: string
  amount: number
  description: Generated<string>
  created_at: ColumnTypes['ledger_entries.created_at']
}

export interface LedgerTotalsTable {
  reason: string
  entries: Generated<string>
  amount: Generated<string>
}

export interface LegalPageVersionsTable {
  id: Generated<string>
  page: 'terms' | 'privacy' | 'imprint'
  texts: ColumnTypes['legal_page_versions.texts']
  asks_again: Generated<boolean>
  saved_at: Date
  saved_by: string
  version: string | null
  published_at: Date | null
}

export interface ModerationLogTable {
  id: Generated<string>
  at: Date
  actor: 'operator' | 'reporter' | 'system'
  act: string
  generation_id: string | null
  user_id: string | null
  report_id: string | null
  detail: Generated<string>
}

export interface OperatorChecksTable {
  name: string
  checked_at: Date
  is_good: boolean
  finding: string
}

export interface OperatorKeysTable {
  token_hash: Buffer
  kind: 'token' | 'session'
  name: string
  created_at: Date
  expires_at: Date
  id: Generated<string>
  operator_id: string | null
  address: Generated<string>
  user_agent: Generated<string>
}

export interface OperatorLogTable {
  id: Generated<string>
  at: Date
  operator_id: string | null
  operator_name: string
  act: string
  subject: string
  reason: Generated<string>
  before: ColumnTypes['operator_log.before']
  after: ColumnTypes['operator_log.after']
  outcome: 'done' | 'refused' | 'failed' | null
}

export interface OperatorRecoveryCodesTable {
  operator_id: string
  code_hash: Buffer
  used_at: Date | null
}

export interface OperatorsTable {
  id: Generated<string>
  name: string
  role: 'owner' | 'support' | 'moderator'
  password_hash: string
  totp_secret: Buffer | null
  totp_confirmed_at: Date | null
  totp_last_step: ColumnTypes['operators.totp_last_step']
  disabled_at: Date | null
  created_at: Generated<Date>
}

export interface OrderFlagsTable {
  id: Generated<string>
  provider: ColumnTypes['order_flags.provider']
  payment_id: string | null
  order_id: string | null
  kind: ColumnTypes['order_flags.kind']
  note: string
  created_at: Date
  resolved_at: Date | null
  resolution: string | null
}

export interface OrdersTable {
  id: string
  user_id: string | null
  idempotency_key: string | null
  package_type: string
  price_cents: number
  price_currency: Generated<string>
  credits: number
  status: Generated<'initiated' | 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired'>
  provider: ColumnTypes['orders.provider']
  invoice_id: string | null
  payment_url: string | null
  missing_amount: string | null
  missing_currency: string | null
  paid_late: Generated<boolean>
  created_at: Date
  updated_at: Date
  credited_at: Date | null
  reversed_at: Date | null
  next_search_at: Date | null
  search_count: Generated<number>
  credits_granted: number | null
  received_cents: number | null
}

export interface PasswordResetsTable {
  token_hash: Buffer
  user_id: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface PaymentEventsTable {
  id: Generated<string>
  provider: ColumnTypes['payment_events.provider']
  payment_id: string | null
  order_id: string | null
  event: string
  detail: Generated<string>
  created_at: Date
}

export interface PaymentsTable {
  provider: ColumnTypes['payments.provider']
  payment_id: string
  order_id: string | null
  parent_payment_id: string | null
  state: Generated<'unread' | 'waiting' | 'processing' | 'partial' | 'finished' | 'failed' | 'refunded' | 'expired' | 'disputed' | 'unknown' | 'missing'>
  provider_status: string | null
  pay_currency: string | null
  pay_amount: string | null
  paid_amount: string | null
  provider_updated_at: Date | null
  credited: Generated<boolean>
  first_seen_at: Date
  last_read_at: Date | null
  callback_count: Generated<number>
  next_read_at: Date | null
  read_count: Generated<number>
  settled_amount: string | null
  price_minor_units: string | null
  price_currency: string | null
}

export interface RateLimitsTable {
  key: string
  points: Generated<number>
  expire: string | null
}

export interface ReferralsTable {
  referred_user_id: string
  referrer_user_id: string | null
  code: string
  address_hash: Buffer
  bonus_granted: boolean
  created_at: ColumnTypes['referrals.created_at']
  device_hash: Buffer | null
  bonus_pending: Generated<boolean>
}

export interface ReportsTable {
  id: Generated<string>
  generation_id: string | null
  link: string
  reason: 'depicts_me' | 'intimate' | 'minor' | 'impersonation' | 'copyright' | 'other'
  details: string
  contact: string
  good_faith: boolean
  created_at: Date
  due_at: Date
  resolved_at: Date | null
  outcome: 'removed' | 'kept' | 'not_found' | null
  note: string | null
  signature: string | null
  behalf: 'myself' | 'somebody_else' | null
  language: string | null
  reminded_at: Date | null
  answered_at: Date | null
}

export interface RequestNotesTable {
  request_id: string
  at: Date
  user_id: string | null
  call: string
  status: number
  code: string | null
}

export interface SchemaMigrationsTable {
  name: string
  sha256: string
  applied_at: Generated<Date>
}

export interface SessionsTable {
  token_hash: Buffer
  id: Generated<string>
  user_id: string
  created_at: Date
  expires_at: Date
  address: string
  user_agent: string
}

export interface SignupCreditsTable {
  mailbox_hash: Buffer
  granted_at: Date
}

export interface SiteSettingChangesTable {
  version: Generated<string>
  key: string
  before: ColumnTypes['site_setting_changes.before']
  after: ColumnTypes['site_setting_changes.after']
  operator_name: string
  changed_at: Date
}

export interface SiteSettingsTable {
  key: string
  value: ColumnTypes['site_settings.value']
  version: string
}

export interface StarPlacesTable {
  star_id: string
  position: number
  is_hidden: Generated<boolean>
}

export interface StarsTable {
  id: string
  name: string
  category: ColumnTypes['stars.category']
  line: ColumnTypes['stars.line']
  licence: string
  attribution: string
  source: string
  consent_note: string
  ai_generated: Generated<boolean>
  object_folder: string
  sample_count: Generated<number>
  state: Generated<'cutting' | 'failed' | 'draft' | 'published' | 'retired'>
  created_at: Date
  created_by: string
  failure: string | null
  tight_crop: Generated<boolean>
  licence_from: string | null
  licence_until: string | null
  licence_uses: Generated<string>
}

export interface SweepPositionsTable {
  prefix: string
  after_key: string
}

export interface TalliesTable {
  subject: string
  provider: string
  state: string
  count: string
}

export interface TallyChangesTable {
  id: Generated<string>
  subject: string
  provider: string
  state: string
  change: number
}

export interface UserDevicesTable {
  user_id: string
  device_hash: Buffer
  first_seen_at: Date
  last_seen_at: Date
}

export interface UsersTable {
  id: Generated<string>
  email: string
  username: string
  password_hash: string
  referral_code: string
  status: Generated<'active' | 'suspended'>
  created_at: ColumnTypes['users.created_at']
  terms_version: string | null
  terms_at: Date | null
  email_confirmed_at: Date | null
  language: Generated<string>
  guest_of: string | null
}

export interface VariationsTable {
  id: Generated<string>
  generation_id: string
  position: number
  source: 'made' | 'more' | 'adjusted'
  arrangement: ColumnTypes['variations.arrangement']
  clean_preview_key: string | null
  watermarked_preview_key: string | null
  clean_key: string | null
  watermarked_key: string | null
  clean_thumbnail_key: string | null
  watermarked_thumbnail_key: string | null
  width_px: number
  height_px: number
  picture_hash: string | null
  created_at: Date
  deleted_at: Date | null
  look: ColumnTypes['variations.look']
}

export interface VoucherBatchesTable {
  id: string
  name: string
  credits: number
  uses_max: number
  person_uses_max: number
  codes: number
  starts_at: Date | null
  ends_at: Date | null
  created_at: Date
  created_by: string
  voided_at: Date | null
}

export interface VoucherRedemptionsTable {
  id: string
  voucher_id: string
  batch_id: string
  credits: number
  uses_max: number
  person_uses_max: number
  use_number: number
  person_use_number: number
  user_id: string | null
  mailbox_hash: Buffer | null
  idempotency_key: string | null
  redeemed_at: Date
}

export interface VouchersTable {
  id: Generated<string>
  batch_id: string
  number: number
  code_hash: Buffer
  voided_at: Date | null
}

/** The rows of the database. Timestamps are `Date`s, int8 and numerics are texts. */
export interface Tables {
  blocked_pictures: BlockedPicturesTable
  credit_accounts: CreditAccountsTable
  credit_holds: CreditHoldsTable
  daily_changes: DailyChangesTable
  daily_figures: DailyFiguresTable
  email_confirmations: EmailConfirmationsTable
  event_counts: EventCountsTable
  event_guests: EventGuestsTable
  event_links: EventLinksTable
  event_prints: EventPrintsTable
  event_selfies: EventSelfiesTable
  events: EventsTable
  generation_attempts: GenerationAttemptsTable
  generation_layers: GenerationLayersTable
  generations: GenerationsTable
  image_providers: ImageProvidersTable
  input_checks: InputChecksTable
  ledger_closing: LedgerClosingTable
  ledger_entries: LedgerEntriesTable
  ledger_totals: LedgerTotalsTable
  legal_page_versions: LegalPageVersionsTable
  moderation_log: ModerationLogTable
  operator_checks: OperatorChecksTable
  operator_keys: OperatorKeysTable
  operator_log: OperatorLogTable
  operator_recovery_codes: OperatorRecoveryCodesTable
  operators: OperatorsTable
  order_flags: OrderFlagsTable
  orders: OrdersTable
  password_resets: PasswordResetsTable
  payment_events: PaymentEventsTable
  payments: PaymentsTable
  rate_limits: RateLimitsTable
  referrals: ReferralsTable
  reports: ReportsTable
  request_notes: RequestNotesTable
  schema_migrations: SchemaMigrationsTable
  sessions: SessionsTable
  signup_credits: SignupCreditsTable
  site_setting_changes: SiteSettingChangesTable
  site_settings: SiteSettingsTable
  star_places: StarPlacesTable
  stars: StarsTable
  sweep_positions: SweepPositionsTable
  tallies: TalliesTable
  tally_changes: TallyChangesTable
  user_devices: UserDevicesTable
  users: UsersTable
  variations: VariationsTable
  voucher_batches: VoucherBatchesTable
  voucher_redemptions: VoucherRedemptionsTable
  vouchers: VouchersTable
}
