import type { Arrangement } from '@starside/contract/arrangement.ts'
import { LayersError } from '@starside/engine/compositor/layers/layers-error.ts'
import type { EngineInput, Selfie } from '@starside/engine/engine-calls.ts'
import type { SelfieParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { describeSystem } from '../describe-system.ts'
import { judgeResult } from '../judge-pictures.ts'
import { markIdOf } from '../mark-id.ts'
import type { OwnGenerationId } from '../own-generation.ts'
import { sceneSeedOf } from '../scene-seed.ts'
import type { OpenedLayers } from './open-layers.ts'
import { storePicture, variationsPrefix } from './store-sheet.ts'
import type { PictureColumns } from './store-sheet.ts'

/**
 * Makes an arrangement at full size, has it judged and stores it. Throws `arrangement_unfit`,
 * `caption_refused`, `caption_letters`, `layers_unreadable` and `variation_refused`.
 */
export async function renderVariation(
  parts: SelfieParts,
  own: OwnGenerationId,
  {
    layers,
    resolution,
    arrangement,
  }: Pick<OpenedLayers, 'layers' | 'resolution'> & {
    arrangement: Arrangement
  },
): Promise<PictureColumns> {
  const input = { layers, arrangement, resolution, ...(await finishing(parts, own)) }
  const selfie = await withLayersErrors(() => parts.engine.renderVariation(input))
  return await keepRendered(parts, own, selfie)
}

/**
 * The same for a variation without layers, from a picture that is kept: it is developed, and finished
 * as large ones are, with all marks.
 */
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
  const pictureHash = await judgeResult(parts, selfie, { ...own, signal: parts.stopping }).catch(
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error
      throw new AppError('variation_refused', { cause: error })
    },
  )
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
