import type { PictureLook } from '@starside/contract/arrangement-limits.ts'
import type { Selfie, Sheet, SheetVariation, SmallPicture } from '@starside/engine/engine-calls.ts'
import type { SelfieParts } from '../parts.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { seal } from '../../platform/secrets/seal.ts'
import type { DevelopedWhole } from './develop-whole.ts'
import type { VariationRow } from './variation-queries.ts'
import { insertVariation } from './variation-queries.ts'

/** The keys of a picture's files at full size. */
export interface PictureKeys {
  clean: string
  watermarked: string
  cleanThumbnail: string
  watermarkedThumbnail: string
}

/** The keys of a small picture's files. */
interface PreviewKeys {
  clean: string
  watermarked: string
}

/** A picture at full size, stored; the rows that name its files are still to be written. */
export interface StoredPicture {
  keys: PictureKeys
  widthPx: number
  heightPx: number
  /** Null for one that was stored without. */
  pictureHash: string | null
}

/** A sheet's objects in the store; the rows that name them are still to be written. */
export interface StoredSheet {
  keys: PictureKeys
  variations: NewVariation[]
  layers: { key: string; encryptionKey: Buffer } | undefined
  /** All of them, to be deleted when the rows are not written. */
  objectKeys: string[]
}

type NewVariation = Pick<SheetVariation, 'widthPx' | 'heightPx'> & {
  /** Null for a picture that was made as a whole. */
  arrangement: SheetVariation['arrangement'] | null
  /** How a picture without an arrangement is developed; undefined is natural. */
  look?: PictureLook | undefined
  /** Undefined for one that is there at full size. */
  previews?: PreviewKeys | undefined
  /** Its files at full size, where it isn't the best one. */
  rendered?: { keys: PictureKeys; pictureHash: string }
}

/** A picture at full size that the moderation has let pass. */
export interface JudgedPicture {
  selfie: Selfie
  pictureHash: string
}

/**
 * Where the files of generations with variations lie. The version before sweeps `pictures` and knows no
 * variation's keys.
 */
export const variationsPrefix = 'variations'

/** Stores whatever the engine made; every attempt under keys of its own, so that two never mix. */
export async function storeSheet(
  parts: SelfieParts,
  generationId: string,
  { best, variations, layers }: Sheet,
): Promise<StoredSheet> {
  const { writing, objectKeys } = recordKeys(parts)
  const [first, ...others] = variations
  const folder = first === undefined ? 'pictures' : variationsPrefix
  const keys = await storeSelfie(writing, `${folder}/${generationId}`, best)
  const small = await storePreviews(writing, generationId, others)
  const { widthPx, heightPx } = best
  return {
    keys,
    variations:
      first === undefined ? [] : [{ arrangement: first.arrangement, widthPx, heightPx }, ...small],
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

/**
 * Stores pictures that were made as a whole, the best first: each at full size, and as a variation
 * where there are several. Behind the best one come its looks.
 */
export async function storePictures(
  parts: SelfieParts,
  generationId: string,
  [best, ...others]: readonly [JudgedPicture, ...JudgedPicture[]],
  { wished, previews }: DevelopedWhole = { wished: undefined, previews: [] },
): Promise<StoredSheet> {
  if (others.length === 0 && wished === undefined && previews.length === 0) {
    const sheet = { best: best.selfie, variations: [], layers: undefined }
    return await storeSheet(parts, generationId, sheet)
  }
  const { writing, objectKeys } = recordKeys(parts)
  const folder = `${variationsPrefix}/${generationId}`
  const { selfie: chosen, look } = { look: undefined, ...(wished ?? best) }
  const keys = await storeSelfie(writing, folder, chosen)
  const { widthPx, heightPx } = chosen
  const shown = { arrangement: null, look, widthPx, heightPx }
  const storeWhole = async ({ selfie, pictureHash }: JudgedPicture) => ({
    arrangement: null,
    widthPx: selfie.widthPx,
    heightPx: selfie.heightPx,
    rendered: { keys: await storeSelfie(writing, folder, selfie), pictureHash },
  })
  const first = wished === undefined ? [shown] : [await storeWhole(best), shown]
  const whole = await Promise.all(others.map(storeWhole))
  const small = await storePreviews(
    writing,
    generationId,
    previews.map((preview) => ({ ...preview, arrangement: null })),
  )
  const variations: NewVariation[] = [...first, ...small.slice(0, 1), ...whole, ...small.slice(1)]
  return { keys, variations, layers: undefined, objectKeys }
}

/**
 * Stores the four files of a picture at full size.
 * @param folder such as `variations/<generation>`
 */
export async function storeSelfie(
  parts: Writing,
  folder: string,
  selfie: Pick<Selfie, keyof PictureKeys>,
): Promise<PictureKeys> {
  const put = writerOf(parts, folder)
  const [clean, watermarked, cleanThumbnail, watermarkedThumbnail] = await Promise.all([
    put('clean', selfie.clean),
    put('watermarked', selfie.watermarked),
    put('clean-thumbnail', selfie.cleanThumbnail),
    put('watermarked-thumbnail', selfie.watermarkedThumbnail),
  ])
  return { clean, watermarked, cleanThumbnail, watermarkedThumbnail }
}

/** Stores the small pictures of variations. */
export async function storePreviews(
  parts: Writing,
  generationId: string,
  variations: readonly (SmallPicture & Pick<NewVariation, 'arrangement' | 'look'>)[],
) {
  return await Promise.all(
    variations.map(async ({ clean, watermarked, arrangement, look, widthPx, heightPx }) => {
      const put = writerOf(parts, `${variationsPrefix}/${generationId}`)
      const previews = {
        clean: await put('clean-preview', clean),
        watermarked: await put('watermarked-preview', watermarked),
      }
      return { arrangement, look, widthPx, heightPx, previews }
    }),
  )
}

/** Writes JPEGs of one picture under a random name that they share. */
function writerOf({ store, randomBytes }: Writing, folder: string) {
  const name = randomBytes(6).toString('hex')
  return async (form: string, bytes: Uint8Array) => {
    const key = `${folder}/${name}-${form}.jpg`
    await store.put(key, bytes, 'image/jpeg')
    return key
  }
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
  sheet: StoredSheet & { pictureHash: string; now: Date; layersExpireAt: Date },
): Promise<void> {
  const { now, layers } = sheet
  for (const variation of sheet.variations) {
    const { arrangement, look, previews, rendered, widthPx, heightPx } = variation
    const { keys, pictureHash } = rendered ?? sheet
    await insertVariation(transaction, {
      generation_id: generationId,
      source: 'made',
      arrangement,
      look: look ?? null,
      ...(previews === undefined
        ? pictureColumns({ keys, widthPx, heightPx, pictureHash })
        : previewColumns(previews)),
      width_px: widthPx,
      height_px: heightPx,
      created_at: now,
    })
  }
  if (layers === undefined) return
  await transaction
    .insertInto('generation_layers')
    .values({
      generation_id: generationId,
      object_key: layers.key,
      encryption_key: layers.encryptionKey,
      expires_at: sheet.layersExpireAt,
      more_made_at: null,
    })
    .execute()
}

/** The columns of a variation of which there is a small picture only. */
export function previewColumns({ clean, watermarked }: PreviewKeys) {
  return {
    clean_preview_key: clean,
    watermarked_preview_key: watermarked,
  } satisfies Partial<VariationRow>
}

/** The columns of a picture that is there at full size. */
export function pictureColumns({ keys, widthPx, heightPx, pictureHash }: StoredPicture) {
  return {
    clean_key: keys.clean,
    watermarked_key: keys.watermarked,
    clean_thumbnail_key: keys.cleanThumbnail,
    watermarked_thumbnail_key: keys.watermarkedThumbnail,
    width_px: widthPx,
    height_px: heightPx,
    picture_hash: pictureHash,
  } satisfies Partial<VariationRow>
}
