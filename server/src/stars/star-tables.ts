import type { PresetCategory } from '@starside/contract/preset-categories.ts'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import type { ColumnType, Generated } from 'kysely'

/** Being cut out, can't be, to be looked at, offered, not offered any more for good. */
export type StarState = 'cutting' | 'failed' | 'draft' | 'published' | 'retired'

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
    /** The first and the last day of its licence (UTC, ISO); null: without a bound. */
    licence_from: string | null
    licence_until: string | null
    /** What it may be used for. */
    licence_uses: Generated<string>
    ai_generated: Generated<boolean>
    object_folder: string
    sample_count: Generated<number>
    /** Whether the photo ends too soon below the chin for a tall picture. */
    tight_crop: Generated<boolean>
    state: Generated<StarState>
    /** While it is 'failed': the code of the reason. */
    failure: string | null
    created_at: Date
    created_by: string
  }
  star_places: {
    star_id: string
    position: number
    is_hidden: Generated<boolean>
  }
}
