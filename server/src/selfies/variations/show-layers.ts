import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { LayersAnswer, PreviewAnswer } from '@starside/contract/variations.ts'
import type { SelfieParts } from '../parts.ts'
import { describeSystem } from '../describe-system.ts'
import type { OwnGenerationId } from '../own-generation.ts'
import { judgeCaption } from './add-variation.ts'
import { openLayers } from './open-layers.ts'
import { withLayersErrors } from './render-variation.ts'

type Parts = Pick<
  SelfieParts,
  'clock' | 'config' | 'database' | 'engine' | 'moderation' | 'site' | 'store'
>

const previewLongSidePx = 512

/**
 * A small picture of an arrangement, with the brand mark for free accounts; nothing is kept of it. Throws
 * `caption_refused`, `caption_letters`, `arrangement_unfit` and what `openLayers` throws.
 */
export async function previewVariation(
  parts: Parts,
  own: OwnGenerationId,
  arrangement: Arrangement,
): Promise<PreviewAnswer> {
  await judgeCaption(parts, own, arrangement)
  const { layers, isPremium } = await openLayers(parts, own)
  const watermarkText = burntInText(parts, isPremium)
  const { jpeg, widthPx, heightPx, visibleCut } = await withLayersErrors(() =>
    parts.engine.previewVariation({
      layers,
      arrangement,
      longSidePx: previewLongSidePx,
      watermarkText,
    }),
  )
  return { success: true, image: toBase64(jpeg), widthPx, heightPx, visibleBorder: visibleCut }
}

/** The parts of one's own picture for the browser, tiled with the brand mark for free accounts. */
export async function showLayers(parts: Parts, own: OwnGenerationId): Promise<LayersAnswer> {
  const { layers, expiresAt, isPremium } = await openLayers(parts, own)
  const watermarkText = burntInText(parts, isPremium)
  const { people, background } = await withLayersErrors(() =>
    parts.engine.browserLayers({ layers, watermarkText }),
  )
  const { widthPx, heightPx } = background
  return {
    success: true,
    expiresAt: expiresAt.toISOString(),
    people: people.map(({ webp, ...person }) => ({ ...person, image: toBase64(webp) })),
    background: { widthPx, heightPx, image: toBase64(background.webp) },
  }
}

/** What is burnt into everything that a free account sees; undefined once credits were bought. */
function burntInText(parts: Pick<Parts, 'config' | 'site'>, isPremium: boolean) {
  return isPremium ? undefined : describeSystem(parts).watermarkText
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
