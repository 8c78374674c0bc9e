import type { PresetCategory } from '@starside/contract/preset-categories.ts'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import type { ColumnType, Generated } from 'kysely'

/** The operator's stars. A line is written as JSON. */
export interface StarTables {
  stars: {
    id: string
    name: string
    category: PresetCategory
    line: ColumnType<CelebrityPreset['line'], string | null, string | null>
    licence: string
    attribution: string
    source: string
    consent_note: string
    ai_generated: Generated<boolean>
    object_folder: string
    sample_count: Generated<number>
    state: Generated<'draft' | 'published' | 'retired'>
    created_at: Date
    created_by: string
  }
  star_places: {
    star_id: string
    position: number
    is_hidden: Generated<boolean>
  }
}
