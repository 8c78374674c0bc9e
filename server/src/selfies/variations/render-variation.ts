import type { Arrangement } from '@starside/contract/arrangement.ts'
import { LayersError } from '@starside/engine/compositor/layers/layers-error.ts'
import type { EngineInput, Selfie, SmallPicture } from '@starside/engine/engine-calls.ts'
import { variationsMax } from '@starside/contract/limits.ts'
import { usualLook, wishedLooks } from '@starside/contract/arrangement-limits.ts'
import type { PictureLook } from '@starside/contract/arrangement-limits.ts'
import type { SelfieParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { describeSystem, markIdOf, sceneSeedOf } from '../selfie-marks.ts'
import type { OwnGenerationId, GenerationRow } from '../queries.ts'
import type { OpenedLayers } from './layers.ts'
import { storePicture, variationsPrefix } from './store-sheet.ts'
import type { JudgedPicture, PictureColumns } from './store-sheet.ts'

/**
 * Makes an arrangement at full size, has it judged and stores it. Throws `arrangement_unfit`,
 * `caption_refused`, `caption_letters`, `layers_unreadable` and `variation_refused`.
 */
export async function renderVariation(
  parts: SelfieParts,
  own: OwnGenerationId,
  opened: Pick<OpenedLayers, 'layers' | 'resolution'> & { arrangement: Arrangement },
): Promise<PictureColumns> {
  const { layers, resolution, arrangement } = opened
  const input = { layers, arrangement, resolution, ...(await finishing(parts, own)) }
  const selfie = await withLayersErrors(() => parts.engine.renderVariation(input))
  return await keepRendered(parts, own, selfie)
}

/** The same without layers: a kept picture is developed, and finished as large ones, with marks. */
export async function developVariation(
  parts: SelfieParts,
  own: OwnGenerationId,
  kept: Pick<EngineInput<'developPicture'>, 'bytes' | 'look' | 'provider' | 'model'>,
): Promise<PictureColumns> {
  const seed = sceneSeedOf(own.generationId)
  const input = { ...kept, seed, ...(await finishing(parts, own)) }
  const selfie = await parts.engine.developPicture(input)
  return await keepRendered(parts, own, selfie)
}

/** How the files of a generation's pictures are finished. */
export async function finishing(
  parts: Pick<SelfieParts, 'config' | 'guestRules' | 'site'>,
  { generationId }: Pick<OwnGenerationId, 'generationId'>,
) {
  const wishes = await parts.guestRules.wishesFor(generationId)
  return { ...describeSystem(parts), markId: markIdOf(generationId), ...wishes }
}

async function keepRendered(parts: SelfieParts, own: OwnGenerationId, selfie: Selfie) {
  const judging = parts.moderation.judgeResult(selfie, { ...own, signal: parts.stopping })
  const pictureHash = await judging.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    throw new AppError('variation_refused', { cause: error })
  })
  const folder = `${variationsPrefix}/${own.generationId}`
  return await storePicture(parts, folder, { selfie, pictureHash })
}

const errorCodes = {
  layers_unreadable: 'layers_unreadable',
  arrangement_unfit: 'arrangement_unfit',
  caption_unreadable: 'caption_letters',
} as const

/** Runs a call of the engine on layers; what it can't do with them becomes the answer's error. */
export async function withLayersErrors<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof LayersError) throw new AppError(errorCodes[error.code], { cause: error })
    throw error
  }
}

/** A picture that was made as a whole, in other looks than its natural one. */
export interface DevelopedWhole {
  /** At full size in the look that was wished for; undefined for the natural one. */
  wished: (JudgedPicture & { look: PictureLook }) | undefined
  /** Small ones in further looks. */
  previews: (SmallPicture & { look: PictureLook })[]
}

/** Develops a hosted picture, whose looks alone are variations; `count` pictures exist already. */
export async function developWhole(
  parts: Pick<SelfieParts, 'config' | 'engine' | 'guestRules' | 'site'>,
  row: Pick<GenerationRow, 'id' | 'look'>,
  { selfie, pictureHash }: JudgedPicture,
  count: number,
): Promise<DevelopedWhole> {
  const { provider, model, clean: bytes } = selfie
  const common = {
    bytes,
    seed: sceneSeedOf(row.id),
    ...(await finishing(parts, { generationId: row.id })),
  }
  // The usual look joins people of several photos; a model's picture is of one piece.
  const isComposed = provider === 'compositor'
  const look = isComposed || row.look !== usualLook ? row.look : 'natural'
  const wished =
    look === 'natural'
      ? undefined
      : { selfie: await parts.engine.developPicture({ ...common, look, provider, model }), look }
  const others = wishedLooks.filter((each) => each !== 'natural' && each !== look)
  const looks = others.slice(0, Math.max(0, variationsMax - count - (wished ? 1 : 0)))
  const { previews } = await parts.engine.developPreviews({ ...common, looks })
  return {
    wished: wished && { ...wished, pictureHash },
    previews: previews.map((preview, n) => ({ ...preview, look: looks[n]! })),
  }
}
