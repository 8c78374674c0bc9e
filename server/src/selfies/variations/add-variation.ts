import type { Arrangement } from '@starside/contract/arrangement.ts'
import { adjustmentsMax } from '@starside/contract/limits.ts'
import type { SelfieParts } from '../parts.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { judgePrompt } from '../judge-pictures.ts'
import type { OwnGenerationId } from '../own-generation.ts'
import { writeStored } from './lock-generation.ts'
import { openLayers } from './open-layers.ts'
import { renderVariation } from './render-variation.ts'
import type { PictureColumns } from './store-sheet.ts'
import { insertVariation, variationKeys } from './variation-queries.ts'

/**
 * Makes an arrangement at full size and keeps it as a variation, which the generation is then shown
 * as. Costs no credit; whatever fails leaves everything as it was. Throws `variations_too_many` and what
 * `openLayers` and `renderVariation` throw.
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
  await judgePrompt(parts, caption === '' ? undefined : caption, userId).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    throw new AppError('caption_refused', { cause: error })
  })
}

/** Throws `variations_too_many` where no further adjusted variation may be kept. */
export async function assertRoom(
  database: SelfieParts['database'] | Transaction,
  { generationId }: OwnGenerationId,
): Promise<void> {
  const { count } = await database
    .selectFrom('variations')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('generation_id', '=', generationId)
    .where('source', '=', 'adjusted')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= adjustmentsMax) throw new AppError('variations_too_many')
}
