import type { Arrangement } from '@starside/contract/arrangement.ts'
import { sql } from 'kysely'
import { adjustmentsMax, variationsMax } from '@starside/contract/limits.ts'
import type { PreviewAnswer, PreviewBody } from '@starside/contract/variations.ts'
import type { SelfieParts } from '../parts.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { findRows, updateRows } from '../../platform/db/rows.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { OwnGenerationId } from '../queries.ts'
import { writeStored } from '../own-generation.ts'
import { describeSystem } from '../selfie-marks.ts'
import { openLayers } from './layers.ts'
import { renderVariation, withLayersErrors, finishing } from './render-variation.ts'
import { storePreviews } from './store-sheet.ts'
import type { PictureColumns } from './store-sheet.ts'
import { insertVariation, variationKeys } from './variation-queries.ts'

/**
 * Makes an arrangement at full size and shows the generation as that variation. No credit; a failure
 * changes nothing. Throws `variations_too_many` and what `openLayers` and `renderVariation` throw.
 */
export async function addVariation(
  parts: SelfieParts,
  own: OwnGenerationId,
  arrangement: Arrangement,
): Promise<void> {
  await judgeCaption(parts, own, arrangement)
  const opened = await openLayers(parts, own)
  await assertRoom(parts.database, own)
  const rendered = await renderVariation(parts, own, { ...opened, arrangement })
  await writeStored(parts, own, variationKeys(rendered), async (transaction) => {
    await assertRoom(transaction, own)
    await insertVariation(transaction, {
      generation_id: own.generationId,
      source: 'adjusted',
      arrangement,
      ...rendered,
      created_at: parts.clock(),
    })
    await showAs(transaction, own, rendered)
  })
}

/** Lets the generation be shown as a picture that is there at full size. */
export async function showAs(
  transaction: Transaction,
  { generationId }: Pick<OwnGenerationId, 'generationId'>,
  shown: PictureColumns,
): Promise<void> {
  await transaction.updateTable('generations').set(shown).where('id', '=', generationId).execute()
}

/** A caption is judged as the words of a description are. Throws `caption_refused`. */
export async function judgeCaption(
  parts: Pick<SelfieParts, 'moderation'>,
  { userId }: Pick<OwnGenerationId, 'userId'>,
  { caption }: Pick<Arrangement, 'caption'>,
): Promise<void> {
  const words = caption === '' ? undefined : caption
  await parts.moderation.judgePrompt(words, userId).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    throw new AppError('caption_refused', { cause: error })
  })
}

/** Throws `variations_too_many` where no further adjusted variation may be kept. */
export async function assertRoom(
  database: SelfieParts['database'] | Transaction,
  { generationId }: OwnGenerationId,
): Promise<void> {
  const adjusted = { generation_id: generationId, source: 'adjusted', deleted_at: null } as const
  const { length } = await findRows(database, 'variations', adjusted)
  if (length >= adjustmentsMax) throw new AppError('variations_too_many')
}

const previewLongSidePx = 512
/** Of one that is looked at enlarged. */
const largeLongSidePx = 1280

/**
 * A small picture of an arrangement, and its parts, brand mark for free accounts; nothing is kept.
 * Throws `caption_refused`, `caption_letters`, `arrangement_unfit` and what `openLayers` throws.
 */
export async function previewVariation(
  parts: SelfieParts,
  own: OwnGenerationId,
  { arrangement, withPeople, isLarge }: PreviewBody,
): Promise<PreviewAnswer> {
  await judgeCaption(parts, own, arrangement)
  const { layers, expiresAt, isPremium } = await openLayers(parts, own)
  const watermarkText = isPremium ? undefined : describeSystem(parts).watermarkText
  const longSidePx = isLarge ? largeLongSidePx : previewLongSidePx
  const asked = { layers, arrangement, longSidePx, withPeople, watermarkText }
  const made = await withLayersErrors(() => parts.engine.previewVariation(asked))
  const { jpeg, behind, people, visibleCut, mended = null, markBox = null, ...size } = made
  return {
    success: true,
    ...size,
    expiresAt: expiresAt.toISOString(),
    image: toBase64(jpeg),
    background: toBase64(behind),
    markBox,
    people:
      people?.map(({ webp, foot = null, ...person }) => ({
        ...person,
        foot,
        image: toBase64(webp),
      })) ?? null,
    visibleBorder: visibleCut,
    mended,
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/**
 * Makes other variations of a picture, once: as many as are good and differ from those that there are,
 * which may be none. Costs no credit. Throws `more_variations_made` and what `openLayers` throws.
 */
export async function makeMore(parts: SelfieParts, own: OwnGenerationId): Promise<void> {
  const { layers, wereMoreMade } = await openLayers(parts, own)
  if (wereMoreMade) throw new AppError('more_variations_made')
  const { generationId: generation_id } = own
  const ofOwn = sql`generation_id = ${generation_id} order by position`
  const known = await findRows(parts.database, 'variations', ofOwn)
  const except = known.flatMap(({ arrangement }) => arrangement ?? [])
  const input = { layers, except, variationsMax, ...(await finishing(parts, own)) }
  const { variations } = await withLayersErrors(() => parts.engine.moreVariations(input))
  const stored = await storePreviews(parts, own.generationId, variations)
  await writeStored(parts, own, stored.flatMap(variationKeys), async (transaction) => {
    const first = await updateRows(transaction, 'generation_layers', {
      match: { generation_id, more_made_at: null },
      set: { more_made_at: parts.clock() },
    })
    if (first.length === 0) throw new AppError('more_variations_made')
    const about = { generation_id, source: 'more', created_at: parts.clock() } as const
    for (const variation of stored) await insertVariation(transaction, { ...about, ...variation })
  })
}
