import type { ColumnType, Generated } from 'kysely'
import type { OperatorRole } from './roles.ts'

/** The operators' part of the database. */
export interface OperatorTables {
  operators: {
    id: Generated<string>
    name: string
    role: OperatorRole
    password_hash: string
    totp_secret: Buffer | null
    totp_confirmed_at: Date | null
    totp_last_step: string | number | null
    disabled_at: Date | null
    created_at: Generated<Date>
  }
  operator_recovery_codes: {
    operator_id: string
    code_hash: Buffer
    used_at: Date | null
  }
  operator_keys: {
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
  operator_checks: {
    name: string
    checked_at: Date
    is_good: boolean
    finding: string
  }
  request_notes: {
    request_id: string
    at: Date
    user_id: string | null
    call: string
    status: number
    code: string | null
  }
  operator_log: {
    id: Generated<string>
    at: Date
    operator_id: string | null
    operator_name: string
    act: string
    subject: string
    reason: Generated<string>
    before: ColumnType<unknown, string | null, string | null>
    after: ColumnType<unknown, string | null, string | null>
    outcome: 'done' | 'refused' | 'failed' | null
  }
}
