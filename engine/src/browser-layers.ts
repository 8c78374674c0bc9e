import sharp from 'sharp'
import type { MovableFoot, MovablePerson } from './engine-calls.ts'
import type { Gain } from './compositor/blend/blend.ts'
import { gainTable } from './compositor/blend/blend-inputs.ts'
import type { SubjectLayer } from './compositor/layers/layers.ts'
import { toUnits, uprightRotation } from './compositor/layout/layout-subject.ts'
import { developLook } from './finish/develop-look.ts'
import type { LookOptions } from './finish/develop-look.ts'
import { applySimilarity } from './image/warp.ts'

/** Long side of a layer in the browser: for who has paid, and for who has not, to whom no person is sent larger. */
const sidesPx = { clean: 512, marked: 384 }
/** Transparent columns and rows about a person, so that a sampler draws no line at their box. */
const borderPx = 2
const webpQuality = 82

/** The light that everybody is shown in, and whether the picture of them bears the brand mark. */
export interface MovableOptions extends LookOptions {
  gains: readonly Gain[]
  isMarked: boolean
}

/** Small copies of layers to be dragged in a browser. */
export async function makeMovable(
  subjects: readonly SubjectLayer[],
  options: MovableOptions,
): Promise<MovablePerson[]> {
  return await Promise.all(
    subjects.map((layer, n) => makePerson(layer, options.gains[n]!, options)),
  )
}

async function makePerson(
  layer: SubjectLayer,
  gain: Gain,
  { isMarked, ...light }: Omit<MovableOptions, 'gains'>,
): Promise<MovablePerson> {
  const { frame, place, reading } = layer
  const { width, height } = frame.image
  const sidePx = isMarked ? sidesPx.marked : sidesPx.clean
  const scale = Math.min(1, (sidePx - 2 * borderPx) / Math.max(width, height))
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
  const resized = (source: ReturnType<typeof sharp>): Promise<Buffer> =>
    source.resize(size.width, size.height, { fit: 'fill' }).raw().toBuffer()
  const raw = { width, height }
  const [colours, alpha] = await Promise.all([
    resized(sharp(frame.image.data, { raw: { ...raw, channels: 3 } })),
    resized(sharp(frame.alpha.data, { raw: { ...raw, channels: 1 } }).toColourspace('b-w')),
  ])
  const tables = gain.map((factor) => gainTable(factor))
  for (let i = 0; i < colours.length; i++) colours[i] = tables[i % 3]![colours[i]!]! + 0.5
  const small = { pixels: colours, widthPx: size.width, heightPx: size.height }
  const developed = await developLook(small, light)
  const pixels = place.scale * scale
  const { across, down } = intoLayer(place, pixels)
  const heads = reading.heads.map(({ centre, size: headSize }) => {
    return { x: across(centre.x), y: down(centre.y), size: headSize * pixels }
  })
  const joined = await sharp(developed.pixels, { raw: { ...size, channels: 3 } })
    .joinChannel(alpha, { raw: { ...size, channels: 1 } })
    .raw()
    .toBuffer()
  const webp = await sharp(joined, { raw: { ...size, channels: 4 } })
    .extend({
      top: borderPx,
      bottom: borderPx,
      left: borderPx,
      right: borderPx,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .webp({ quality: webpQuality, alphaQuality: 90, effort: 2 })
    .toBuffer()
  return {
    webp,
    widthPx: size.width + 2 * borderPx,
    heightPx: size.height + 2 * borderPx,
    heads,
    box: boxAbout(heads, alpha, size.width),
    uprightDegrees: (uprightRotation(reading) * 180) / Math.PI,
    foot: footOf(layer, pixels),
  }
}

/** From a photo's columns and rows to the small layer's. */
function intoLayer({ left, top }: SubjectLayer['place'], pixels: number) {
  return {
    across: (x: number): number => (x - left) * pixels + borderPx,
    down: (y: number): number => (y - top) * pixels + borderPx,
  }
}

/** The box about all that is there of somebody, which holds their heads. */
function boxAbout(heads: MovablePerson['heads'], alpha: Uint8Array, width: number) {
  let top = Math.min(...heads.map(({ y }) => y))
  let left = Math.min(...heads.map(({ x, size }) => x - 0.6 * size))
  let right = Math.max(...heads.map(({ x, size }) => x + 0.6 * size))
  let bottom = Math.max(...heads.map(({ y, size }) => y + 0.6 * size))
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i]! < 128) continue
    const x = (i % width) + borderPx
    const y = Math.floor(i / width) + borderPx
    top = Math.min(top, y)
    left = Math.min(left, x)
    right = Math.max(right, x + 1)
    bottom = Math.max(bottom, y + 1)
  }
  const { x, y, size } = heads[0]!
  return {
    left: (left - x) / size,
    top: (top - y) / size,
    right: (right - x) / size,
    bottom: (bottom - y) / size,
  }
}

/** @param pixels of the small layer per pixel of the photo */
function footOf({ place, reading }: SubjectLayer, pixels: number): MovableFoot | undefined {
  const unit = toUnits(reading)
  const cuts = unit.cuts
    .filter(({ kind }) => kind === 'bottom')
    .map((cut) => applySimilarity(unit.toPhoto, cut))
  if (cuts.length === 0) return undefined
  const { across, down } = intoLayer(place, pixels)
  const { centre, size } = reading.head
  return {
    left: across(Math.min(...cuts.map(({ x }) => x))),
    right: across(Math.max(...cuts.map(({ x }) => x))),
    y: down(Math.min(...cuts.map(({ y }) => y))),
    middleX: across(centre.x),
    middleY: down(centre.y),
    stretchBelow: unit.stretchFrom * size * pixels,
  }
}
