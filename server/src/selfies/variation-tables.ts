import type { PictureLook } from '@starside/contract/arrangement-limits.ts'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { VariationItem } from '@starside/contract/variations.ts'
import type { ColumnType, Generated } from 'kysely'

/** The variations' part of the database. */
export interface VariationTables {
  variations: VariationsTable
  generation_layers: {
    generation_id: string
    object_key: string
    encryption_key: Buffer
    expires_at: Date
    more_made_at: Date | null
  }
}

export interface VariationsTable {
  id: Generated<string>
  generation_id: string
  position: number
  source: VariationItem['source']
  /** Null for a picture that was made as a whole. */
  arrangement: ColumnType<Arrangement | null, string | null, never>
  /** How a picture without an arrangement is developed; null is natural. */
  look: PictureLook | null
  clean_preview_key: string | null
  watermarked_preview_key: string | null
  clean_key: string | null
  watermarked_key: string | null
  clean_thumbnail_key: string | null
  watermarked_thumbnail_key: string | null
  width_px: number
  height_px: number
  /** Signed int8. */
  picture_hash: string | null
  created_at: Date
  /** It can be brought back for a while. */
  deleted_at: Generated<Date | null>
}

/** Where a variation keeps the keys of its objects in the store. */
export const variationKeyColumns = [
  'clean_preview_key',
  'watermarked_preview_key',
  'clean_key',
  'watermarked_key',
  'clean_thumbnail_key',
  'watermarked_thumbnail_key',
] as const satisfies readonly (keyof VariationsTable)[]
