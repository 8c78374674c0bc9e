import type { ColourPlanes } from './colour-planes.ts'
import { gaussianBlur } from './box-blur.ts'
import { grainTable } from './grain.ts'
import { kernels, openRoom } from './kernels.ts'
import type { KernelRoom } from './kernels.ts'
import { lightTable } from './plan-light.ts'
import type { LightPlan } from './plan-light.ts'
import { clamp, createPlane, createRgb } from './raster.ts'
import type { BytePlane, Plane, RgbImage } from './raster.ts'

/** One person, cut out, in the picture's frame. */
export interface CutOut {
  image: RgbImage
  alpha: BytePlane
  light: LightPlan
  /** Middle of the face, in the picture's pixels: where the light's ramp is 0. */
  faceX: number
  headSize: number
  /** Grain to be added, standard deviation in 8-bit steps. */
  grain: number
}

export interface BlendOptions {
  /** Behind everybody; at a small size, 0…255. */
  background: ColourPlanes
  back: CutOut
  front: CutOut
  /** Grain of the background. */
  grain: number
}

/** The small size at which shadows and light wrap are made. */
const shrink = 8
/** How dark the front person's shadow on the back one is. */
const shadowStrength = 0.34
/** How much the bodies darken the background about them. */
const ambientStrength = 0.16
/** How much of a brighter background spills over the rim of a person. */
const wrapStrength = 0.5
/** Fall of light towards the corners (fourth power of the distance). */
const vignette = 0.14

/**
 * Lays background, back and front person over each other, with what ties them together: the
 * bodies darken the background a little, the front person throws a soft shadow on the back one,
 * a brighter background spills over the rims, and the lens vignettes and grains everything.
 */
export function blend(options: BlendOptions): RgbImage {
  const { width, height } = options.front.image
  const result = createRgb(width, height)
  blendRows(options, result, 0, height)
  return result
}

/**
 * Blends some rows of the picture, so that several threads can share the work.
 * @param result takes the rows from `fromRow` up to but not `toRow`
 */
export function blendRows(
  { background, back, front, grain }: BlendOptions,
  result: RgbImage,
  fromRow: number,
  toRow: number,
): void {
  const { width, height } = front.image
  const soft = softPlanes(front, back)
  const room = openRoom()
  const behind = putVectors(room, background, width)
  const tones = putVectors(room, [soft.shadow, soft.ambient, soft.backRim, soft.frontRim], width)
  const backAt = putPerson(room, back)
  const frontAt = putPerson(room, front)
  const noise = room.put(grainTable)
  const target = room.take(rowsAtOnce * width * 3)
  const order = room.take(orderBytes)
  for (let y = fromRow; y < toRow; y += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, toRow - y)
    copyRows(room, back, backAt, y, rows)
    copyRows(room, front, frontAt, y, rows)
    const places = [
      backAt.colours,
      backAt.alphas,
      backAt.tables,
      backAt.ramp,
      frontAt.colours,
      frontAt.alphas,
      frontAt.tables,
      frontAt.ramp,
      behind.at,
      behind.width,
      behind.height,
      behind.places,
      behind.shares,
      tones.at,
      tones.width,
      tones.height,
      tones.places,
      tones.shares,
      noise,
      behind.line,
      tones.line,
      target,
      width,
      height,
      y,
      rows,
    ]
    const amounts = [
      grain,
      back.grain,
      front.grain,
      vignette,
      ambientStrength,
      shadowStrength,
      wrapStrength,
    ]
    const view = room.bytes(order, orderBytes)
    new Int32Array(view.buffer, order, places.length).set(places)
    new Float32Array(view.buffer, order + places.length * 4, amounts.length).set(amounts)
    kernels.blendRows(order)
    result.data.set(room.bytes(target, rows * width * 3), y * width * 3)
  }
}

/** Rows that are done at once; all of them together would need much memory a second time. */
const rowsAtOnce = 32
/** Of the kernel's 26 places and 7 amounts. */
const orderBytes = 33 * 4

/** Small planes as vectors, and where each pixel of a full row lies between them. */
interface VectorsAt {
  at: number
  width: number
  height: number
  /** Room for one row. */
  line: number
  places: number
  shares: number
}

function putVectors(room: KernelRoom, planes: readonly Plane[], fullWidth: number): VectorsAt {
  const { width, height } = planes[0]!
  const vectors = new Float32Array(width * height * 4)
  for (const [lane, { data }] of planes.entries()) {
    for (let i = 0; i < data.length; i++) vectors[i * 4 + lane] = data[i]!
  }
  const places = new Int32Array(fullWidth)
  const shares = new Float32Array(fullWidth)
  for (let x = 0; x < fullWidth; x++) {
    const place = clamp(((x + 0.5) * width) / fullWidth - 0.5, 0, width - 1)
    places[x] = Math.floor(place)
    shares[x] = place - places[x]!
  }
  return {
    at: room.put(vectors),
    width,
    height,
    line: room.take((width + 1) * 16),
    places: room.put(places),
    shares: room.put(shares),
  }
}

interface PersonAt {
  colours: number
  alphas: number
  tables: number
  ramp: number
}

function putPerson(room: KernelRoom, person: CutOut): PersonAt {
  const { width } = person.image
  const ramp = new Float32Array(width)
  for (let x = 0; x < width; x++) {
    const away = clamp((x - person.faceX) / person.headSize, -1.2, 1.2)
    // log2 of light, about 2.2 times smaller in sRGB values.
    ramp[x] = 2 ** ((person.light.ramp * away) / 2.2)
  }
  return {
    colours: room.take(rowsAtOnce * width * 3),
    alphas: room.take(rowsAtOnce * width),
    tables: room.put(tablesOf(person.light)),
    ramp: room.put(ramp),
  }
}

/** How much each channel counts for the grey that saturation is measured from. */
const greyShares = [0.299, 0.587, 0.114] as const

/**
 * What every value of a channel gives to red, green and blue of the result: its own light, and its
 * share of the grey that a lower saturation mixes in. The three add up to the pixel.
 */
function tablesOf(light: LightPlan): Float32Array {
  const tables = new Float32Array(3 * 256 * 4)
  for (const channel of [0, 1, 2] as const) {
    const values = lightTable(light, channel)
    for (let value = 0; value < 256; value++) {
      const at = (channel * 256 + value) * 4
      const grey = (1 - light.saturation) * greyShares[channel] * values[value]!
      tables.fill(grey, at, at + 3)
      tables[at + channel]! += light.saturation * values[value]!
    }
  }
  return tables
}

function copyRows(room: KernelRoom, person: CutOut, at: PersonAt, y: number, rows: number): void {
  const { width } = person.image
  const colours = person.image.data.subarray(y * width * 3, (y + rows) * width * 3)
  const alphas = person.alpha.data.subarray(y * width, (y + rows) * width)
  room.bytes(at.colours, colours.length).set(colours)
  room.bytes(at.alphas, alphas.length).set(alphas)
}

interface SoftPlanes {
  /** The front person's shadow: near and dark, wide and faint. */
  shadow: Plane
  ambient: Plane
  /** 1 deep inside of a person, 0.5 at the rim. */
  backRim: Plane
  frontRim: Plane
}

function softPlanes(front: CutOut, back: CutOut): SoftPlanes {
  const frontAlpha = shrinkAlpha(front.alpha)
  const backAlpha = shrinkAlpha(back.alpha)
  const { width, height } = frontAlpha
  const head = front.headSize / shrink
  const near = gaussianBlur(frontAlpha, 0.07 * head)
  const wide = gaussianBlur(frontAlpha, 0.2 * head)
  const shadow = createPlane(width, height)
  const both = createPlane(width, height)
  for (let i = 0; i < shadow.data.length; i++) {
    shadow.data[i] = 0.5 * near.data[i]! + 0.5 * wide.data[i]!
    both.data[i] = Math.max(frontAlpha.data[i]!, backAlpha.data[i]!)
  }
  return {
    shadow,
    ambient: gaussianBlur(both, 0.25 * head),
    backRim: gaussianBlur(backAlpha, 0.03 * head),
    frontRim: gaussianBlur(frontAlpha, 0.03 * head),
  }
}

/** Box average; outside of the picture a person goes on, so its border throws no light. */
function shrinkAlpha(alpha: BytePlane): Plane {
  const width = Math.ceil(alpha.width / shrink)
  const height = Math.ceil(alpha.height / shrink)
  const result = createPlane(width, height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      let sum = 0
      for (let dy = 1; dy < shrink; dy += 2) {
        const row = Math.min(y * shrink + dy, alpha.height - 1) * alpha.width
        for (let dx = 1; dx < shrink; dx += 2) {
          sum += alpha.data[row + Math.min(x * shrink + dx, alpha.width - 1)]!
        }
      }
      result.data[i] = sum / (255 * (shrink / 2) ** 2)
    }
  }
  return result
}
