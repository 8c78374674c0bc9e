import type { CelebrityPreset } from '@starside/contract/presets.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { keepNewest } from '../platform/keep-newest.ts'
import type { Database } from '../platform/db/database.ts'
import { findRows } from '../platform/db/rows.ts'
import { openLiveValue } from '../platform/db/live-value.ts'
import type { LiveParts } from '../platform/db/live-value.ts'
import { readAddress } from './person-files.ts'
import { loadPresets } from './presets.ts'
import type { Presets } from './presets.ts'
import type { StarParts } from './parts.ts'
import { firstPosition, starsTopic } from './edit-stars.ts'
import { starObjectKey } from './star-objects.ts'
import type { StarObject } from './star-objects.ts'
import { isLicensed } from './star-rules.ts'
import type { StarsTable } from '../platform/db/tables.d.ts'

const pollIntervalMs = 30_000
/** The operator's stars stand in front of those of the program until they are moved. */
const ownPosition = 500
/** Photos that are kept decoded; the others are read again. */
const photosMax = 64

/** A star with its place, also one that isn't shown. */
export interface PlacedStar extends CelebrityPreset {
  position: number
  isHidden: boolean
  /** False for those that come with the program or lie in the data folder. */
  isOwn: boolean
}

/** The stars of all kinds, as this node knows them: at most a second old. */
export type OfferedPresets = Awaited<ReturnType<typeof openPresets>>

/** Joins the stars in files with the operator's own of the database and the store. */
export async function openPresets(
  parts: LiveParts &
    Pick<StarParts, 'clock' | 'database' | 'engine' | 'store'> & { dataFolder: string },
) {
  const { engine, store, database } = parts
  const files = await loadPresets(engine, parts.dataFolder)
  const readOnce = keepNewest<Promise<NormalisedPhoto>>(photosMax)
  const readOwn = (objectFolder: string, object: StarObject) => {
    const key = starObjectKey(objectFolder, object)
    return readOnce(key, async () => {
      const bytes = await store.get(key)
      if (bytes === undefined) throw new Error(`the object ${key} of a star is gone`)
      return engine.normalise(bytes)
    })
  }
  const { current, refresh, close } = await openLiveValue(parts, {
    name: 'the stars',
    read: () => readStars(database, files, parts.clock()),
    topic: starsTopic,
    pollIntervalMs,
  })

  const presets: Presets = {
    list: () => current().offered,
    find: (id) => current().byId.get(id),
    async readPicture(name) {
      const { id, found } = readAddress(name)
      const row = current().rows.get(id)
      if (row === undefined) return files.readPicture(name)
      const bytes = found && (await store.get(starObjectKey(row.object_folder, found.object)))
      return bytes && { bytes: Buffer.from(bytes), mediaType: found.mediaType }
    },
    async readPhoto(id) {
      const row = current().rows.get(id)
      return row === undefined ? files.readPhoto(id) : readOwn(row.object_folder, 'cutout')
    },
    async readPortrait(id) {
      const row = current().rows.get(id)
      return row === undefined ? files.readPortrait(id) : readOwn(row.object_folder, 'picture')
    },
  }
  /** All that could be offered, hidden ones too, in their order. */
  const listPlaced = () => current().placed
  return { ...presets, listPlaced, refresh, close }
}

/** All stars that are offered or could be, in their order. */
export async function readStars(database: Database, files: Presets, now: Date) {
  const rows = await findRows(database, 'stars', { state: 'published' })
  const moved = await findRows(database, 'star_places', sql`true`)
  const places = new Map(moved.map((one) => [one.star_id, one]))
  const place = (star: CelebrityPreset, position: number, isOwn: boolean): PlacedStar => {
    const { position: set = position, is_hidden: isHidden = false } = places.get(star.id) ?? {}
    return { ...star, position: set, isHidden, isOwn }
  }
  const own = rows.map((row) => {
    const placed = place(describe(row), ownPosition, true)
    // Outside of its licence a star keeps its place and is offered to nobody.
    return isLicensed(row, now) ? placed : { ...placed, isHidden: true }
  })
  const ownIds = new Set(own.map(({ id }) => id))
  const inFiles = files
    .list()
    .filter(({ id }) => !ownIds.has(id))
    .map((star, index) => place(star, firstPosition + index, false))
  const placed = [...own, ...inFiles].toSorted(
    (one, other) => one.position - other.position || (one.name < other.name ? -1 : 1),
  )
  const offered = placed
    .filter(({ isHidden }) => !isHidden)
    .map(({ position: _position, isHidden: _isHidden, isOwn: _isOwn, ...star }) => star)
  return {
    placed,
    offered,
    byId: new Map(offered.map((star) => [star.id, star])),
    rows: new Map(rows.map((row) => [row.id, row])),
  }
}

function describe(row: Selectable<StarsTable>): CelebrityPreset {
  const address = `/api/presets/${row.id}`
  return {
    id: row.id,
    name: row.name,
    image: `${address}.jpg`,
    thumbnail: { avif: `${address}.thumbnail.avif`, jpeg: `${address}.thumbnail.jpg` },
    category: row.category,
    line: row.line,
    licence: row.licence,
    attribution: row.attribution,
    aiGenerated: row.ai_generated,
    tightCrop: row.tight_crop,
  }
}
