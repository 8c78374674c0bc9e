import sharp from 'sharp'
import type { Arrangement } from './arrangement.ts'
import { makeBrowserLayers } from './browser-layers.ts'
import type { Compositor } from './compositor/compositor.ts'
import { readLayers } from './compositor/layers/read-layers.ts'
import type { SmallVariation } from './compositor/variations/sheet-pictures.ts'
import type { EngineMethods, Finishing, Selfie, SheetVariation } from './engine-calls.ts'
import { developLook } from './finish/develop-look.ts'
import { encodePicture } from './finish/encode.ts'
import { checkCaption, frameInstant } from './finish/instant-frame.ts'
import { provenanceXmp } from './finish/provenance.ts'
import type { RawPicture } from './finish/raw-picture.ts'
import { drawWatermark } from './finish/watermark.ts'
import { releaseMemory } from './release-memory.ts'

/** A preview is looked at once. */
const previewQuality = 85

/** What the calls are made with. */
export interface VariationTools {
  compositor: () => Promise<Compositor>
  finish: (picture: RawPicture, request: Finishing) => Promise<Omit<Selfie, 'provider' | 'model'>>
}

type VariationMethod =
  | 'makeSheet'
  | 'moreVariations'
  | 'renderVariation'
  | 'previewVariation'
  | 'browserLayers'

/** The calls that make several pictures of the same people. */
export function createVariationCalls({
  compositor: open,
  finish,
}: VariationTools): Pick<EngineMethods, VariationMethod> {
  return {
    async makeSheet({ variationsMax, keepLayers, ...input }, { signal, onStage } = {}) {
      signal?.throwIfAborted()
      const compositor = await open()
      const { name: provider, model } = compositor
      const request = { ...input, signal, onStage }
      if (input.backgroundPhoto) {
        // Layers don't hold a photo of a place, so there is the one picture.
        const picture = await compositor.generate(request)
        onStage?.('finish')
        const best = await finish(picture, input)
        releaseMemory(picture.pixels)
        return { best: { ...best, provider, model }, variations: [], layers: undefined }
      }
      const sheet = await compositor.variations.makeSheet(request, variationsMax, keepLayers)
      signal?.throwIfAborted()
      onStage?.('finish')
      const [best, variations, layers] = await Promise.all([
        finish(sheet.best, input),
        sheet.variations.then((small) => finishSmall(small, input)),
        sheet.layers,
      ])
      releaseMemory(sheet.best.pixels)
      const { keptCount, wasPrepared } = sheet
      return { best: { ...best, provider, model }, variations, layers, keptCount, wasPrepared }
    },

    async moreVariations({ layers, except, variationsMax, ...finishing }) {
      const compositor = await open()
      const read = await readLayers(layers)
      const small = await compositor.variations.more(read, except, variationsMax)
      return { variations: await finishSmall(small, finishing) }
    },

    async renderVariation({ layers, arrangement, resolution, ...finishing }, { signal } = {}) {
      await checkCaption(arrangement.caption)
      const compositor = await open()
      const { name: provider, model, variations } = compositor
      const picture = await variations.draw(
        await readLayers(layers),
        arrangement,
        resolution,
        signal,
      )
      const developed = await develop(picture, arrangement)
      const finished = await finish(developed, finishing)
      releaseMemory(picture.pixels, developed.pixels)
      return { ...finished, provider, model, visibleCut: picture.visibleCut }
    },

    async previewVariation({ layers, arrangement, longSidePx, watermarkText }, { signal } = {}) {
      await checkCaption(arrangement.caption)
      const { variations } = await open()
      const read = await readLayers(layers)
      const picture = await variations.preview(read, arrangement, longSidePx, signal)
      const developed = await develop(picture, arrangement)
      const { widthPx, heightPx } = developed
      const marked =
        watermarkText === undefined ? developed : await drawWatermark(developed, watermarkText)
      const raw = { width: widthPx, height: heightPx, channels: 3 } as const
      const jpeg = await sharp(marked.pixels, { raw }).jpeg({ quality: previewQuality }).toBuffer()
      return { jpeg, widthPx, heightPx, visibleCut: picture.visibleCut }
    },

    async browserLayers({ layers, watermarkText }) {
      return await makeBrowserLayers(await readLayers(layers), watermarkText)
    },
  }
}

/** Colours and frame as the arrangement asks for; the picture's own pixels may change. */
async function develop(
  picture: RawPicture,
  { look, warmth, caption }: Arrangement,
): Promise<RawPicture> {
  developLook(picture, look, warmth)
  return look === 'instant' ? await frameInstant(picture, caption) : picture
}

/** The files of small pictures, with and without the brand mark. */
async function finishSmall(
  small: readonly SmallVariation[],
  { watermarkText, systemName, systemVersion }: Finishing,
): Promise<SheetVariation[]> {
  const xmp = provenanceXmp({ name: systemName, version: systemVersion })
  return await Promise.all(
    small.map(async ({ arrangement, quality, picture }) => {
      const { widthPx, heightPx } = picture
      const marked = await drawWatermark(picture, watermarkText)
      const [clean, watermarked] = await Promise.all([
        encodePicture(picture, xmp),
        encodePicture(marked, xmp),
      ])
      releaseMemory(picture.pixels, marked.pixels)
      return { arrangement, quality, clean, watermarked, widthPx, heightPx }
    }),
  )
}
