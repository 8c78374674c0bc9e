import type { Translated } from '@starside/contract/languages.ts'
import type { LegalPageName } from '@starside/contract/legal-pages.ts'
import type { ColumnType, Generated } from 'kysely'

/** The legal pages' part of the database. Texts are written as JSON. */
export interface LegalTables {
  legal_page_versions: {
    id: Generated<string>
    page: LegalPageName
    texts: ColumnType<Translated<string>, string, string>
    asks_again: Generated<boolean>
    saved_at: Date
    saved_by: string
    version: string | null
    published_at: Date | null
  }
}
