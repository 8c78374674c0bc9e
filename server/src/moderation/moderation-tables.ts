import type { ReportBehalf } from '@starside/contract/report-limits.ts'
import type { Generated } from 'kysely'

/** The rows of migration 0030, as Kysely sees them. int8 columns are texts. */
export interface ModerationTables {
  reports: ReportsTable
  blocked_pictures: BlockedPicturesTable
  moderation_log: ModerationLogTable
  input_checks: InputChecksTable
}

export const reportOutcomes = ['removed', 'kept', 'not_found'] as const
export type ReportOutcome = (typeof reportOutcomes)[number]

export interface ReportsTable {
  id: Generated<string>
  generation_id: string | null
  link: string
  reason: 'depicts_me' | 'intimate' | 'minor' | 'impersonation' | 'copyright' | 'other'
  details: string
  contact: string
  good_faith: boolean
  /** The reporter's full name, typed by them; null in reports of earlier versions. */
  signature: string | null
  behalf: ReportBehalf | null
  /** The language that they read. */
  language: string | null
  /** When the operator was told that the time runs out. */
  reminded_at: Date | null
  /** When the reporter was told what was decided, or nobody could be. */
  answered_at: Date | null
  created_at: Date
  due_at: Date
  resolved_at: Date | null
  outcome: ReportOutcome | null
  note: string | null
}

export interface BlockedPicturesTable {
  generation_id: string
  kind: 'picture' | 'user_photo' | 'star_photo' | 'second_star_photo' | 'background_photo'
  hash: string
  created_at: Date
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

export interface InputChecksTable {
  checked_at: Date
  inputs: number
  oldest_age_seconds: number | null
  overdue: number
}
