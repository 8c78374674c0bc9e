import sharp from 'sharp'
import { usualLook } from './arrangement.ts'
import type { Arrangement, PictureLook } from './arrangement.ts'
import { makeMovable } from './browser-layers.ts'
import type { Compositor } from './compositor/compositor.ts'
import { readLayers } from './compositor/layers/read-layers.ts'
import { shrinkToSmall } from './compositor/variations/sheet-pictures.ts'
import type { SmallVariation } from './compositor/variations/sheet-pictures.ts'
import type {
  EngineMethods,
  Finishing,
  Selfie,
  SelfieInput,
  SheetVariation,
  SmallPicture,
} from './engine-calls.ts'
import { developLook } from './finish/develop-look.ts'
import { checkCaption, frameInstant } from './finish/instant-frame.ts'
import type { RawPicture } from './finish/raw-picture.ts'
import { drawWatermark, layOutWatermark } from './finish/watermark.ts'
import type { WatermarkLayout } from './finish/watermark.ts'
import { decodePicture } from './photo/decode-picture.ts'
import { releaseMemory } from './release-memory.ts'

/** A preview is looked at once. */
const previewQuality = 85

/** How a picture is developed and its files are finished; the seed is of the grain. */
export type FinishRequest = Finishing &
  Pick<SelfieInput, 'look' | 'seed'> & {
    /** The file that the picture was made from, whose manifest is carried on. */
    source?: Uint8Array | undefined
  }

/** What the calls are made with. */
export interface VariationTools {
  compositor: () => Promise<Compositor>
  finish: (
    picture: RawPicture,
    request: FinishRequest,
  ) => Promise<Omit<Selfie, 'provider' | 'model'>>
  finishSmall: (
    picture: RawPicture,
    request: Pick<FinishRequest, 'source'> & Finishing,
  ) => Promise<Pick<SmallPicture, 'clean' | 'watermarked'>>
}

type VariationMethod =
  | 'makeSheet'
  | 'moreVariations'
  | 'renderVariation'
  | 'previewVariation'
  | 'developPicture'
  | 'developPreviews'

/** The calls that make several pictures of the same people. */
export function createVariationCalls({
  compositor: open,
  finish,
  finishSmall: finishFiles,
}: VariationTools): Pick<EngineMethods, VariationMethod> {
  /** The files of small pictures. */
  const finishSmall = (small: readonly SmallVariation[], finishing: Finishing) =>
    Promise.all(
      small.map(async ({ arrangement, quality, picture }): Promise<SheetVariation> => {
        const { widthPx, heightPx } = picture
        const files = await finishFiles(picture, finishing)
        releaseMemory(picture.pixels)
        return { arrangement, quality, ...files, widthPx, heightPx }
      }),
    )

  return {
    async makeSheet({ variationsMax, keepLayers, ...input }, { signal, onStage } = {}) {
      signal?.throwIfAborted()
      const compositor = await open()
      const { name: provider, model } = compositor
      const request = { ...input, signal, onStage }
      const looks = looksOfSheet(input.look, variationsMax)
      const arrangementsMax = variationsMax - looks.further.length
      const sheet = await compositor.variations.makeSheet(request, arrangementsMax, keepLayers)
      signal?.throwIfAborted()
      onStage?.('finish')
      const [best, variations, layers] = await Promise.all([
        finish(sheet.best, { ...input, look: looks.look }),
        sheet.variations
          .then((small) => developSheet(small, looks, input.seed))
          .then((small) => finishSmall(small, input)),
        sheet.layers,
      ])
      releaseMemory(sheet.best.pixels)
      const { keptCount, wasPrepared } = sheet
      return { best: { ...best, provider, model }, variations, layers, keptCount, wasPrepared }
    },

    async moreVariations({ layers, except, variationsMax, ...finishing }, { signal } = {}) {
      const compositor = await open()
      const read = await readLayers(layers)
      const small = await compositor.variations.more(read, except, variationsMax, signal)
      const developed = small.map((each) => inLook(each, each.arrangement.look, read.seed))
      return { variations: await finishSmall(await Promise.all(developed), finishing) }
    },

    async renderVariation({ layers, arrangement, resolution, ...finishing }, { signal } = {}) {
      await checkCaption(arrangement.caption)
      const compositor = await open()
      const { name: provider, model, variations } = compositor
      const read = await readLayers(layers)
      const picture = await variations.draw(read, arrangement, resolution, signal)
      const developed = await develop(picture, arrangement, read.seed)
      const finished = await finish(developed, finishing)
      releaseMemory(picture.pixels, developed.pixels)
      return { ...finished, provider, model, visibleCut: picture.visibleCut }
    },

    async previewVariation(
      { layers, arrangement, longSidePx, withPeople, watermarkText },
      { signal } = {},
    ) {
      await checkCaption(arrangement.caption)
      const { variations } = await open()
      const read = await readLayers(layers)
      const { behind, gains, ...picture } = await variations.preview(
        read,
        arrangement,
        longSidePx,
        signal,
      )
      const light = { ...arrangement, seed: read.seed }
      const [developed, empty, people] = await Promise.all([
        develop(picture, arrangement, read.seed),
        developLook({ ...picture, pixels: behind }, light),
        withPeople
          ? makeMovable(read.subjects, { ...light, gains, isMarked: watermarkText !== undefined })
          : undefined,
      ])
      const { widthPx, heightPx } = developed
      const [jpeg, behindJpeg] = await Promise.all([
        encodePreview(developed, watermarkText),
        encodePreview(empty, watermarkText),
      ])
      const { visibleCut, mended } = picture
      const mark =
        watermarkText && layOutWatermark(picture.widthPx, picture.heightPx, watermarkText, 0)
      const markBox = mark ? boxInParts(mark, picture) : undefined
      return { jpeg, widthPx, heightPx, visibleCut, mended, behind: behindJpeg, markBox, people }
    },

    async developPicture({ bytes, provider, model, ...request }) {
      const picture = await decodePicture(bytes, { sidePxMin: 1 })
      return { ...(await finish(picture, { ...request, source: bytes })), provider, model }
    },

    async developPreviews({ bytes, looks, seed, ...finishing }) {
      const small = await shrinkToSmall(await decodePicture(bytes, { sidePxMin: 1 }))
      const { widthPx, heightPx } = small
      const previews = looks.map(async (look) => {
        const developed = await developLook(small, { look, seed })
        const files = await finishFiles(developed, { ...finishing, source: bytes })
        return { ...files, widthPx, heightPx }
      })
      return { previews: await Promise.all(previews) }
    },
  }
}

async function encodePreview(
  picture: RawPicture,
  watermarkText: string | undefined,
): Promise<Uint8Array> {
  // It is seen as large as the picture that it stands for.
  const marked =
    watermarkText === undefined ? picture : await drawWatermark(picture, watermarkText, 0)
  const raw = { width: marked.widthPx, height: marked.heightPx, channels: 3 } as const
  return await sharp(marked.pixels, { raw }).jpeg({ quality: previewQuality }).toBuffer()
}

/** Where a mark stands, in parts of its picture. */
function boxInParts(mark: WatermarkLayout, { widthPx, heightPx }: Omit<RawPicture, 'pixels'>) {
  return {
    x: mark.left / widthPx,
    y: mark.top / heightPx,
    width: mark.widthPx / widthPx,
    height: mark.heightPx / heightPx,
  }
}

/** Colours and frame as the arrangement asks for. */
async function develop(
  picture: RawPicture,
  { look, caption, ...light }: Arrangement,
  seed: number,
): Promise<RawPicture> {
  const developed = await developLook(picture, { look, ...light, seed })
  return look === 'instant' ? await frameInstant(developed, caption) : developed
}

/** Which looks a sheet shows its best arrangement in: the first, the second, the last. */
function looksOfSheet(look: PictureLook = usualLook, variationsMax: number) {
  const second = look === 'black-and-white' ? usualLook : 'black-and-white'
  const last = look === 'natural' ? usualLook : 'natural'
  const further: PictureLook[] = [second, last]
  return { look, further: further.slice(0, Math.max(0, variationsMax - 1)) }
}

/** All in their look, and the best, which comes first, once more in two further ones. */
async function developSheet(
  [best, ...others]: readonly SmallVariation[],
  { look, further: [second, last] }: ReturnType<typeof looksOfSheet>,
  seed = 1,
): Promise<SmallVariation[]> {
  if (!best) return []
  return await Promise.all([
    inLook(best, look, seed),
    ...(second ? [inLook(best, second, seed)] : []),
    ...others.map((other) => inLook(other, look, seed)),
    ...(last ? [inLook(best, last, seed)] : []),
  ])
}

async function inLook(
  small: SmallVariation,
  look: PictureLook,
  seed: number,
): Promise<SmallVariation> {
  const arrangement = { ...small.arrangement, look }
  return { ...small, arrangement, picture: await develop(small.picture, arrangement, seed) }
}
