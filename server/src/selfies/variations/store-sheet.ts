import type { PictureLook } from '@starside/contract/arrangement-limits.ts'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { Selfie, Sheet, SmallPicture } from '@starside/engine/engine-calls.ts'
import type { SelfieParts } from '../parts.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { insertRow } from '../../platform/db/rows.ts'
import { seal } from '../../platform/secrets/seal.ts'
import type { DevelopedWhole } from './render-variation.ts'
import { insertVariation } from './variation-queries.ts'
import type { NewVariation, VariationRow, variationKeyColumns } from './variation-queries.ts'

/** The columns of a picture that is there at full size: its files' keys, its size, its hash. */
export type PictureColumns = Record<
  'clean_key' | 'watermarked_key' | 'clean_thumbnail_key' | 'watermarked_thumbnail_key',
  string
> &
  Pick<VariationRow, 'width_px' | 'height_px' | 'picture_hash'>

/** A sheet's objects in the store; the rows that name them are still to be written. */
export interface StoredSheet {
  /** Of what the generation is shown as. */
  picture: PictureColumns
  variations: Omit<NewVariation, 'generation_id' | 'source' | 'created_at'>[]
  layers: { key: string; encryptionKey: Buffer } | undefined
  /** All of them, to be deleted when the rows are not written. */
  objectKeys: string[]
}

/** A picture at full size that the moderation has let pass. */
export type JudgedPicture = { selfie: Selfie; pictureHash: string }

/** Where files of generations with variations lie, unknown to the sweep of the version before. */
export const variationsPrefix = 'variations'

/** Stores whatever the engine made; every attempt under keys of its own, so that two never mix. */
export async function storeSheet(
  parts: SelfieParts,
  generationId: string,
  { best, variations, layers }: Omit<Sheet, 'best'> & { best: JudgedPicture },
): Promise<StoredSheet> {
  const { writing, objectKeys } = recordKeys(parts)
  const [first, ...others] = variations
  const folder = first === undefined ? 'pictures' : variationsPrefix
  const picture = await storePicture(writing, `${folder}/${generationId}`, best)
  const small = await storePreviews(writing, generationId, others)
  return {
    picture,
    variations:
      first === undefined ? [] : [{ arrangement: first.arrangement, ...picture }, ...small],
    layers: layers && (await storeLayers(writing, generationId, layers)),
    objectKeys,
  }
}

/** What writing objects takes. */
type Writing = Pick<SelfieParts, 'randomBytes'> & { store: Pick<SelfieParts['store'], 'put'> }

/** The same store, with the keys of all that was written into it. */
function recordKeys({ store, randomBytes }: Writing) {
  const objectKeys: string[] = []
  const put: typeof store.put = (key, ...object) => {
    objectKeys.push(key)
    return store.put(key, ...object)
  }
  return { writing: { randomBytes, store: { put } }, objectKeys }
}

/** Stores whole pictures at full size, the best first, as variations if several, then its looks. */
export async function storePictures(
  parts: SelfieParts,
  generationId: string,
  [best, ...others]: readonly [JudgedPicture, ...JudgedPicture[]],
  { wished, previews }: DevelopedWhole = { wished: undefined, previews: [] },
): Promise<StoredSheet> {
  if (others.length === 0 && wished === undefined && previews.length === 0) {
    return await storeSheet(parts, generationId, { best, variations: [], layers: undefined })
  }
  const { writing, objectKeys } = recordKeys(parts)
  const folder = `${variationsPrefix}/${generationId}`
  const storeWhole = async (picture: JudgedPicture) => ({
    arrangement: null,
    ...(await storePicture(writing, folder, picture)),
  })
  const { arrangement, ...picture } = await storeWhole(wished ?? best)
  const shown = { arrangement, look: wished?.look ?? null, ...picture }
  const first = wished === undefined ? [shown] : [await storeWhole(best), shown]
  const whole = await Promise.all(others.map(storeWhole))
  const small = await storePreviews(
    writing,
    generationId,
    previews.map((preview) => ({ ...preview, arrangement: null })),
  )
  const variations = [...first, ...small.slice(0, 1), ...whole, ...small.slice(1)]
  return { picture, variations, layers: undefined, objectKeys }
}

/** Stores a picture's four files at full size; `folder` such as `variations/<generation>`. */
export async function storePicture(
  parts: Writing,
  folder: string,
  { selfie, pictureHash }: JudgedPicture,
): Promise<PictureColumns> {
  const keys = await writeFiles(parts, folder, {
    clean_key: selfie.clean,
    watermarked_key: selfie.watermarked,
    clean_thumbnail_key: selfie.cleanThumbnail,
    watermarked_thumbnail_key: selfie.watermarkedThumbnail,
  })
  const { widthPx: width_px, heightPx: height_px } = selfie
  return { ...keys, width_px, height_px, picture_hash: pictureHash }
}

/** Stores the small pictures of variations. */
export async function storePreviews(
  parts: Writing,
  generationId: string,
  variations: readonly (SmallPicture & { arrangement: Arrangement | null; look?: PictureLook })[],
) {
  return await Promise.all(
    variations.map(async ({ clean, watermarked, arrangement, look = null, ...size }) => ({
      arrangement,
      look,
      ...(await writeFiles(parts, `${variationsPrefix}/${generationId}`, {
        clean_preview_key: clean,
        watermarked_preview_key: watermarked,
      })),
      width_px: size.widthPx,
      height_px: size.heightPx,
    })),
  )
}

/** Writes JPEGs of one picture, named for their columns, under a random name that they share. */
async function writeFiles<Column extends (typeof variationKeyColumns)[number]>(
  { store, randomBytes }: Writing,
  folder: string,
  files: Record<Column, Uint8Array>,
) {
  const name = randomBytes(6).toString('hex')
  const written = Object.entries<Uint8Array>(files).map(async ([column, bytes]) => {
    const key = `${folder}/${name}-${column.replace('_key', '').replace('_', '-')}.jpg`
    await store.put(key, bytes, 'image/jpeg')
    return [column, key]
  })
  return Object.fromEntries(await Promise.all(written)) as Record<Column, string>
}

async function storeLayers(
  { store, randomBytes }: Writing,
  generationId: string,
  layers: Uint8Array,
): Promise<NonNullable<StoredSheet['layers']>> {
  const encryptionKey = randomBytes(32)
  const key = `layers/${generationId}/${randomBytes(6).toString('hex')}`
  const sealing = { key: encryptionKey, subject: generationId, randomBytes }
  await store.put(key, seal(Buffer.from(layers), sealing), 'application/octet-stream')
  return { key, encryptionKey }
}

/** Writes the rows of a stored sheet, within the transaction that finishes its generation. */
export async function insertSheet(
  transaction: Transaction,
  generationId: string,
  sheet: StoredSheet & { now: Date; layersExpireAt: Date },
): Promise<void> {
  const { now, layers } = sheet
  for (const variation of sheet.variations) {
    const about = { generation_id: generationId, source: 'made', created_at: now } as const
    await insertVariation(transaction, { ...about, ...variation })
  }
  if (layers === undefined) return
  await insertRow(transaction, 'generation_layers', {
    generation_id: generationId,
    object_key: layers.key,
    encryption_key: layers.encryptionKey,
    expires_at: sheet.layersExpireAt,
  })
}
