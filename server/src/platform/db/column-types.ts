import type { GreyHint, PictureLook, WishedLook } from '@starside/contract/arrangement-limits.ts'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { PrintFormat } from '@starside/contract/event-formats.ts'
import type { Language, Translated } from '@starside/contract/languages.ts'
import type { PaymentProviderName } from '@starside/contract/payment-providers.ts'
import type { PresetCategory } from '@starside/contract/preset-categories.ts'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import type { GenerationStage, SceneName, SelfieAspect } from '@starside/contract/scenes.ts'
import type { ColumnType, Generated } from 'kysely'
import type { FlagKind } from '../../payments/payment-decision.ts'

/** Set by the database at the insert and never changed. */
type CreatedAt = ColumnType<Date, Date | undefined, never>

/** Columns whose type `schema.sql` doesn't tell: lists without a constraint, JSON texts. */
export interface ColumnTypes {
  'credit_accounts.created_at': CreatedAt
  'events.consent': ColumnType<Partial<Translated<string>>, string, string>
  'events.languages': Language[]
  'events.print_formats': PrintFormat[]
  'events.scenes': SceneName[]
  /** Millionths of a US dollar. */
  'generation_attempts.cost_micro_usd': Generated<string | number>
  'generations.aspect': SelfieAspect
  'generations.grey_hints': Generated<GreyHint[]>
  /** How the whole picture is developed. */
  'generations.look': Generated<WishedLook>
  'generations.resolution': 'standard' | 'high'
  'generations.scene': SceneName | null
  'generations.stage': Generated<GenerationStage>
  'ledger_entries.created_at': CreatedAt
  'legal_page_versions.texts': ColumnType<Translated<string>, string, string>
  'operator_log.after': ColumnType<unknown, string | null, string | null>
  'operator_log.before': ColumnType<unknown, string | null, string | null>
  'operators.totp_last_step': string | number | null
  'order_flags.kind': FlagKind
  'order_flags.provider': PaymentProviderName
  'orders.provider': PaymentProviderName
  'payment_events.provider': PaymentProviderName
  'payments.provider': PaymentProviderName
  'referrals.created_at': CreatedAt
  'site_setting_changes.after': ColumnType<unknown, string | null, never>
  'site_setting_changes.before': ColumnType<unknown, string | null, never>
  'site_settings.value': ColumnType<unknown, string, string>
  'stars.category': PresetCategory
  'stars.line': ColumnType<CelebrityPreset['line'], string | null, string | null>
  'users.created_at': CreatedAt
  /** Null for a picture that was made as a whole. */
  'variations.arrangement': ColumnType<Arrangement | null, string | null, never>
  /** How a picture without an arrangement is developed; null is natural. */
  'variations.look': PictureLook | null
}
