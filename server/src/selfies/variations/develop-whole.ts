import { variationsMax } from '@starside/contract/limits.ts'
import { usualLook, wishedLooks } from '@starside/contract/arrangement-limits.ts'
import type { PictureLook } from '@starside/contract/arrangement-limits.ts'
import type { SmallPicture } from '@starside/engine/engine-calls.ts'
import type { SelfieParts } from '../parts.ts'
import type { GenerationRow } from '../queries.ts'
import { sceneSeedOf } from '../scene-seed.ts'
import { finishing } from './render-variation.ts'
import type { JudgedPicture } from './store-sheet.ts'

/** A picture that was made as a whole, in other looks than its natural one. */
export interface DevelopedWhole {
  /** At full size in the look that was wished for; undefined for the natural one. */
  wished: (JudgedPicture & { look: PictureLook }) | undefined
  /** Small ones in further looks. */
  previews: (SmallPicture & { look: PictureLook })[]
}

/**
 * Develops a picture that a hosted model has made: it has no layers, so its looks are all that tells
 * its variations apart.
 * @param count of the pictures that there are already
 */
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
