import type { WishedLook } from '@starside/contract/arrangement-limits.ts'
import type { GenerationStage, SceneName, SelfieAspect } from '@starside/contract/scenes.ts'
import type { ColumnType, Generated } from 'kysely'
import type { ModerationTables } from '../../moderation/moderation-tables.ts'
import type { AttemptTables } from '../../selfies/attempt-tables.ts'
import type { OperatorTables } from '../../operator/operator-tables.ts'
import type { OrderTables } from '../../payments/order-tables.ts'
import type { LegalTables } from '../../shop/legal/legal-tables.ts'
import type { StarTables } from '../../stars/star-tables.ts'
import type { VariationTables } from '../../selfies/variation-tables.ts'
import type { VoucherTables } from '../../ledger/vouchers/voucher-tables.ts'
import type { SiteTables } from '../site/site-tables.ts'

/**
 * The rows of the database, as Kysely sees them. `schema.sql` is the checked dump of what the
 * migrations make; this file follows it. Timestamps are `Date`s, int8 keys are strings.
 */
export interface Tables
  extends
    AttemptTables,
    OperatorTables,
    OrderTables,
    ModerationTables,
    SiteTables,
    VoucherTables,
    LegalTables,
    StarTables,
    VariationTables {
  users: UsersTable
  sessions: SessionsTable
  password_resets: PasswordResetsTable
  email_confirmations: EmailConfirmationsTable
  user_devices: UserDevicesTable
  credit_accounts: CreditAccountsTable
  ledger_entries: LedgerEntriesTable
  credit_holds: CreditHoldsTable
  referrals: ReferralsTable
  signup_credits: SignupCreditsTable
  generations: GenerationsTable
  sweep_positions: SweepPositionsTable
  ledger_closing: LedgerClosingTable
}

/** Set by the database at the insert and never changed. */
type CreatedAt = ColumnType<Date, Date | undefined, never>

export interface UsersTable {
  id: Generated<string>
  email: string
  username: string
  password_hash: string
  referral_code: string
  status: Generated<'active' | 'suspended'>
  created_at: CreatedAt
  terms_version: string | null
  terms_at: Date | null
  email_confirmed_at: Date | null
  /** In which mails are written. */
  language: Generated<string>
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

export interface PasswordResetsTable {
  token_hash: Buffer
  user_id: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface EmailConfirmationsTable {
  token_hash: Buffer
  user_id: string
  email: string
  created_at: Date
  expires_at: Date
}

export interface UserDevicesTable {
  user_id: string
  device_hash: Buffer
  first_seen_at: Date
  last_seen_at: Date
}

export interface SignupCreditsTable {
  mailbox_hash: Buffer
  granted_at: Date
}

export interface CreditAccountsTable {
  id: Generated<string>
  kind: 'user' | 'system'
  name: string | null
  user_id: string | null
  balance: number | null
  owed: Generated<number>
  bought_total: Generated<number>
  created_at: CreatedAt
}

export type LedgerReason = 'signup' | 'referral' | 'purchase' | 'usage' | 'correction' | 'voucher'

export interface LedgerEntriesTable {
  id: Generated<string>
  reference: string
  reason: LedgerReason
  debit_account_id: string
  credit_account_id: string
  amount: number
  description: Generated<string>
  created_at: CreatedAt
}

/** One row: how far the sums of the ledger are closed. */
export interface LedgerClosingTable {
  closed_to: string
  marked_to: string
  marked_writers: string[]
}

export type HoldState = 'held' | 'captured' | 'released' | 'expired'

export interface CreditHoldsTable {
  id: Generated<string>
  account_id: string
  amount: number
  state: Generated<HoldState>
  reference: string
  description: string
  celebrity: Generated<string | null>
  attached_to: string | null
  created_at: Date
  expires_at: Date
  settled_at: Date | null
  /** Requests that prepare a selfie with it. */
  preparing_count: Generated<number>
}

export interface ReferralsTable {
  referred_user_id: string
  referrer_user_id: string | null
  code: string
  address_hash: Buffer
  bonus_granted: boolean
  bonus_pending: Generated<boolean>
  device_hash: Buffer | null
  created_at: CreatedAt
}

export interface GenerationsTable {
  id: string
  user_id: string
  hold_id: string
  idempotency_key: string | null
  request_digest: Buffer
  state: Generated<'running' | 'done' | 'failed'>
  stage: Generated<GenerationStage>
  /** How far the stage is, 0…100. */
  stage_percent: Generated<number>
  celebrity: string
  preset_id: string | null
  scene: SceneName | null
  aspect: SelfieAspect
  resolution: 'standard' | 'high'
  prompt: string | null
  user_face_index: number | null
  star_face_index: number | null
  /** Null for one face and one star. */
  user_face_indexes: number[] | null
  second_preset_id: string | null
  second_star_face_index: number | null
  second_star_photo_key: string | null
  second_star_photo_hash: string | null
  /** How the whole picture is developed. */
  look: Generated<WishedLook>
  has_background_photo: Generated<boolean>
  background_photo_key: string | null
  /** Of its file, not of its looks. */
  background_photo_hash: string | null
  /** The names of both stars. */
  star_names: string[] | null
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
  chain_position: Generated<number>
  prompt_version: string | null
  created_at: Date
  finished_at: Date | null
  deleted_at: Date | null
  share_id: string | null
  /** Perceptual hashes as signed int8. */
  user_photo_hash: string | null
  star_photo_hash: string | null
  picture_hash: string | null
}

/** Where the search for objects that nobody names goes on. */
export interface SweepPositionsTable {
  prefix: string
  after_key: string
}
