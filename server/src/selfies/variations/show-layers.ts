import type { PreviewAnswer, PreviewBody } from '@starside/contract/variations.ts'
import type { SelfieParts } from '../parts.ts'
import { describeSystem } from '../describe-system.ts'
import type { OwnGenerationId } from '../own-generation.ts'
import { judgeCaption } from './add-variation.ts'
import { openLayers } from './open-layers.ts'
import { withLayersErrors } from './render-variation.ts'

const previewLongSidePx = 512
/** Of one that is looked at enlarged. */
const largeLongSidePx = 1024

/**
 * A small picture of an arrangement and the parts that it is drawn of, each with the brand mark for free
 * accounts; nothing is kept of them. Throws `caption_refused`, `caption_letters`, `arrangement_unfit` and
 * what `openLayers` throws.
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
  const { jpeg, behind, people, visibleCut, ...size } = await withLayersErrors(() =>
    parts.engine.previewVariation({ layers, arrangement, longSidePx, withPeople, watermarkText }),
  )
  return {
    success: true,
    ...size,
    expiresAt: expiresAt.toISOString(),
    image: toBase64(jpeg),
    background: toBase64(behind),
    people:
      people?.map(({ webp, foot = null, ...person }) => ({
        ...person,
        foot,
        image: toBase64(webp),
      })) ?? null,
    visibleBorder: visibleCut,
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
