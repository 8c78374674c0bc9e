import type { ColumnType, Generated } from 'kysely'

/** What operators have set, and every change of it. Values are written as JSON texts. */
export interface SiteTables {
  site_settings: {
    key: string
    value: ColumnType<unknown, string, string>
    version: string
  }
  site_setting_changes: {
    version: Generated<string>
    key: string
    before: ColumnType<unknown, string | null, never>
    after: ColumnType<unknown, string | null, never>
    operator_name: string
    changed_at: Date
  }
}
