import sharp from 'sharp'
import type { EngineOutput } from './engine-calls.ts'
import type { RgbImage } from './image/raster.ts'
import type { Layers, SubjectLayer } from './compositor/layers/layers.ts'
import { makeWatermarkTile } from './finish/tile-watermark.ts'

/** Long side of a layer in the browser. */
const sidePx = 512
/** Transparent columns and rows about a person, so that a sampler draws no line at their box. */
const borderPx = 2
const webpQuality = 82

const plainGrey: RgbImage = { data: new Uint8Array(32 * 40 * 3).fill(128), width: 32, height: 40 }

type BrowserLayers = EngineOutput<'browserLayers'>

/**
 * Small copies of layers to be dragged in a browser.
 * @param watermarkText is tiled over each of them; undefined leaves them clean
 */
export async function makeBrowserLayers(
  { subjects, background }: Layers,
  watermarkText: string | undefined,
): Promise<BrowserLayers> {
  const tile = watermarkText === undefined ? undefined : await makeWatermarkTile(watermarkText)
  const [behind, ...people] = await Promise.all([
    makeBackground(background?.image ?? plainGrey, tile),
    ...subjects.map((layer) => makePerson(layer, tile)),
  ])
  return { people, background: behind }
}

async function makePerson(
  { frame, place, reading }: SubjectLayer,
  tile: Buffer | undefined,
): Promise<BrowserLayers['people'][number]> {
  const { width, height } = frame.image
  const scale = Math.min(1, (sidePx - 2 * borderPx) / Math.max(width, height))
  const size = [Math.round(width * scale), Math.round(height * scale)] as const
  const resized = (source: ReturnType<typeof sharp>): Promise<Buffer> =>
    source
      .resize(...size, { fit: 'fill' })
      .raw()
      .toBuffer()
  const raw = { width, height }
  const [colours, alpha] = await Promise.all([
    resized(sharp(frame.image.data, { raw: { ...raw, channels: 3 } })),
    resized(sharp(frame.alpha.data, { raw: { ...raw, channels: 1 } }).toColourspace('b-w')),
  ])
  const small = { width: size[0], height: size[1] }
  const joined = await sharp(colours, { raw: { ...small, channels: 3 } })
    .joinChannel(alpha, { raw: { ...small, channels: 1 } })
    .raw()
    .toBuffer()
  const person = sharp(joined, { raw: { ...small, channels: 4 } })
  // Only where the person is, so that their outline stays what it is.
  if (tile) person.composite([{ input: tile, tile: true, blend: 'atop' }])
  const marked = await person.raw().toBuffer()
  const webp = await sharp(marked, { raw: { ...small, channels: 4 } })
    .extend({
      top: borderPx,
      bottom: borderPx,
      left: borderPx,
      right: borderPx,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .webp({ quality: webpQuality, alphaQuality: 90, effort: 2 })
    .toBuffer()
  const head = reading.heads[0]!
  const pixels = place.scale * scale
  return {
    webp,
    widthPx: small.width + 2 * borderPx,
    heightPx: small.height + 2 * borderPx,
    headX: (head.centre.x - place.left) * pixels + borderPx,
    headY: (head.centre.y - place.top) * pixels + borderPx,
    headSize: head.size * pixels,
  }
}

async function makeBackground(
  { data, width, height }: RgbImage,
  tile: Buffer | undefined,
): Promise<BrowserLayers['background']> {
  const scale = sidePx / Math.max(width, height)
  const [widthPx, heightPx] = [Math.round(width * scale), Math.round(height * scale)]
  const sized = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(widthPx, heightPx, { fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const picture = sharp(sized)
  if (tile) picture.composite([{ input: tile, tile: true }])
  const webp = await picture.removeAlpha().webp({ quality: webpQuality, effort: 2 }).toBuffer()
  return { webp, widthPx, heightPx }
}
