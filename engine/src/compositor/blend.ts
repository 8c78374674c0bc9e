import type { ColourPlanes } from './background.ts'
import { gaussianBlur } from './box-blur.ts'
import { grainTable } from './grain.ts'
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
  const rows = {
    r: createRow(background[0], width, height),
    g: createRow(background[1], width, height),
    b: createRow(background[2], width, height),
    shadow: createRow(soft.shadow, width, height),
    ambient: createRow(soft.ambient, width, height),
    backRim: createRow(soft.backRim, width, height),
    frontRim: createRow(soft.frontRim, width, height),
  }
  const allRows = Object.values(rows)
  const rowR = rows.r.values
  const rowG = rows.g.values
  const rowB = rows.b.values
  const rowShadow = rows.shadow.values
  const rowAmbient = rows.ambient.values
  const rowBackRim = rows.backRim.values
  const rowFrontRim = rows.frontRim.values
  const backMatte = back.alpha.data
  const frontMatte = front.alpha.data
  const backTables = tablesOf(back)
  const frontTables = tablesOf(front)
  const noise = grainTable
  const pixel = new Float32Array(3)
  const halfWidth = width / 2
  const halfHeight = height / 2
  const corner = halfWidth * halfWidth + halfHeight * halfHeight
  const pixels = result.data
  for (let y = fromRow, i = fromRow * width; y < toRow; y++) {
    for (const row of allRows) row.at(y)
    const dy = (y - halfHeight) ** 2
    const noiseRow = (y * 7919) & 0xffff
    for (let x = 0; x < width; x++, i++) {
      const away = ((x - halfWidth) ** 2 + dy) / corner
      const lens = 1 - vignette * away * away
      const backAlpha = backMatte[i]! / 255
      const frontAlpha = frontMatte[i]! / 255
      const bgR = rowR[x]!
      const bgG = rowG[x]!
      const bgB = rowB[x]!
      let r = 0
      let g = 0
      let b = 0
      let roughness = grain
      if (frontAlpha < 1) {
        const dark = 1 - ambientStrength * rowAmbient[x]!
        r = bgR * dark
        g = bgG * dark
        b = bgB * dark
        if (backAlpha > 0) {
          paint(back, backTables, i, x, pixel)
          const wrap = wrapStrength * (1 - rowBackRim[x]!)
          const shade = 1 - shadowStrength * rowShadow[x]!
          r += ((pixel[0]! + wrap * Math.max(0, bgR - pixel[0]!)) * shade - r) * backAlpha
          g += ((pixel[1]! + wrap * Math.max(0, bgG - pixel[1]!)) * shade - g) * backAlpha
          b += ((pixel[2]! + wrap * Math.max(0, bgB - pixel[2]!)) * shade - b) * backAlpha
          roughness += (back.grain - roughness) * backAlpha
        }
      }
      if (frontAlpha > 0) {
        paint(front, frontTables, i, x, pixel)
        const wrap = wrapStrength * (1 - rowFrontRim[x]!) * (1 - backAlpha)
        r += (pixel[0]! + wrap * Math.max(0, bgR - pixel[0]!) - r) * frontAlpha
        g += (pixel[1]! + wrap * Math.max(0, bgG - pixel[1]!) - g) * frontAlpha
        b += (pixel[2]! + wrap * Math.max(0, bgB - pixel[2]!) - b) * frontAlpha
        roughness += (front.grain - roughness) * frontAlpha
      }
      // Noise is strongest in the middle tones and fades in the lights.
      const light = (r + g + g + b) / 1020
      const grit = noise[(noiseRow + x) & 0xffff]! * roughness * (1.15 - 0.6 * light) + 0.5
      const at = i * 3
      pixels[at] = clamp(r * lens + grit, 0, 255)
      pixels[at + 1] = clamp(g * lens + grit, 0, 255)
      pixels[at + 2] = clamp(b * lens + grit, 0, 255)
    }
  }
}

interface Tables {
  red: Float32Array
  green: Float32Array
  blue: Float32Array
  ramp: Float32Array
}

function tablesOf(person: CutOut): Tables {
  const ramp = new Float32Array(person.image.width)
  for (let x = 0; x < ramp.length; x++) {
    const away = clamp((x - person.faceX) / person.headSize, -1.2, 1.2)
    // log2 of light, about 2.2 times smaller in sRGB values.
    ramp[x] = 2 ** ((person.light.ramp * away) / 2.2)
  }
  return {
    red: lightTable(person.light, 0),
    green: lightTable(person.light, 1),
    blue: lightTable(person.light, 2),
    ramp,
  }
}

/** Changes one pixel of a cut-out by its light plan. */
function paint(person: CutOut, tables: Tables, i: number, x: number, pixel: Float32Array): void {
  const { data } = person.image
  const at = i * 3
  const r = tables.red[data[at]!]!
  const g = tables.green[data[at + 1]!]!
  const b = tables.blue[data[at + 2]!]!
  const grey = 0.299 * r + 0.587 * g + 0.114 * b
  const gain = tables.ramp[x]!
  const { saturation } = person.light
  pixel[0] = (grey + (r - grey) * saturation) * gain
  pixel[1] = (grey + (g - grey) * saturation) * gain
  pixel[2] = (grey + (b - grey) * saturation) * gain
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

/** Reads rows of a small plane at the full size, bilinear. */
interface Row {
  values: Float32Array
  at(y: number): void
}

function createRow(plane: Plane, width: number, height: number): Row {
  const line = new Float32Array(plane.width + 1)
  const values = new Float32Array(width)
  const left = new Int32Array(width)
  const fraction = new Float32Array(width)
  for (let x = 0; x < width; x++) {
    const sx = clamp(((x + 0.5) * plane.width) / width - 0.5, 0, plane.width - 1)
    left[x] = Math.floor(sx)
    fraction[x] = sx - left[x]!
  }
  return {
    values,
    at(y) {
      const sy = clamp(((y + 0.5) * plane.height) / height - 0.5, 0, plane.height - 1)
      const y0 = Math.floor(sy)
      const fy = sy - y0
      const top = y0 * plane.width
      const below = Math.min(y0 + 1, plane.height - 1) * plane.width
      for (let x = 0; x < plane.width; x++) {
        line[x] = plane.data[top + x]! * (1 - fy) + plane.data[below + x]! * fy
      }
      line[plane.width] = line[plane.width - 1]!
      for (let x = 0; x < width; x++) {
        const l = left[x]!
        const f = fraction[x]!
        values[x] = line[l]! * (1 - f) + line[l + 1]! * f
      }
    },
  }
}
