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
  /** Of the small pictures; undefined for one that is there at full size. */
  previews: { clean: string; watermarked: string } | undefined
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
  const [first, ...others] = variations
  const folder = first === undefined ? 'pictures' : variationsPrefix
  const keys = await storeSelfie(parts, `${folder}/${generationId}`, best)
  const small = await storePreviews(parts, generationId, others)
  const stored = layers && (await storeLayers(parts, generationId, layers))
  const previewKeys = small.flatMap(({ previews }) => Object.values(previews))
  return {
    keys,
    variations:
      first === undefined ? [] : [{ ...sizeOf(first, best), previews: undefined }, ...small],
    layers: stored,
    objectKeys: [
      ...Object.values<string>({ ...keys }),
      ...previewKeys,
      ...(stored ? [stored.key] : []),
    ],
  }
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
  const folder = `${variationsPrefix}/${generationId}`
  const { selfie: chosen, look } = { look: undefined, ...(wished ?? best) }
  const keys = await storeSelfie(parts, folder, chosen)
  const { widthPx, heightPx } = chosen
  const shown = { arrangement: null, look, widthPx, heightPx, previews: undefined }
  const storeWhole = async ({ selfie, pictureHash }: JudgedPicture) => ({
    arrangement: null,
    widthPx: selfie.widthPx,
    heightPx: selfie.heightPx,
    previews: undefined,
    rendered: { keys: await storeSelfie(parts, folder, selfie), pictureHash },
  })
  const first = wished === undefined ? [shown] : [await storeWhole(best), shown]
  const whole = await Promise.all(others.map(storeWhole))
  const small = await storePreviews(
    parts,
    generationId,
    previews.map((preview) => ({ ...preview, arrangement: null })),
  )
  const variations: NewVariation[] = [...first, ...small.slice(0, 1), ...whole, ...small.slice(1)]
  const all = [
    keys,
    ...variations.flatMap(({ rendered, previews: both }) => [rendered?.keys ?? {}, both ?? {}]),
  ]
  return {
    keys,
    variations,
    layers: undefined,
    objectKeys: all.flatMap((each) => Object.values<string>({ ...each })),
  }
}

function sizeOf({ arrangement }: SheetVariation, { widthPx, heightPx }: Selfie) {
  return { arrangement, widthPx, heightPx }
}

/**
 * Stores the four files of a picture at full size.
 * @param folder such as `variations/<generation>`
 */
export async function storeSelfie(
  parts: SelfieParts,
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
  parts: SelfieParts,
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
function writerOf({ store, randomBytes }: SelfieParts, folder: string) {
  const name = randomBytes(6).toString('hex')
  return async (form: string, bytes: Uint8Array) => {
    const key = `${folder}/${name}-${form}.jpg`
    await store.put(key, bytes, 'image/jpeg')
    return key
  }
}

async function storeLayers(
  { store, randomBytes }: SelfieParts,
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
    const best = variation.previews === undefined ? sheet : undefined
    const full = variation.rendered ?? best
    await insertVariation(transaction, {
      generation_id: generationId,
      source: 'made',
      arrangement: variation.arrangement,
      look: variation.look,
      ...previewColumns(variation.previews),
      ...pictureColumns(full?.keys),
      width_px: variation.widthPx,
      height_px: variation.heightPx,
      picture_hash: full?.pictureHash ?? null,
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

export function previewColumns(previews: { clean: string; watermarked: string } | undefined) {
  return {
    clean_preview_key: previews?.clean ?? null,
    watermarked_preview_key: previews?.watermarked ?? null,
  } satisfies Partial<VariationRow>
}

export function pictureColumns(keys: PictureKeys | undefined) {
  return {
    clean_key: keys?.clean ?? null,
    watermarked_key: keys?.watermarked ?? null,
    clean_thumbnail_key: keys?.cleanThumbnail ?? null,
    watermarked_thumbnail_key: keys?.watermarkedThumbnail ?? null,
  } satisfies Partial<VariationRow>
}
