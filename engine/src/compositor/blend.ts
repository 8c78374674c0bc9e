import type { ColourPlanes } from './background.ts'
import { gaussianBlur } from './box-blur.ts'
import { grainAt } from './grain.ts'
import { lightTable } from './plan-light.ts'
import type { LightPlan } from './plan-light.ts'
import { clamp, createPlane, createRgb } from './raster.ts'
import type { BytePlane, Plane, RgbImage } from './raster.ts'
import { resizePlane } from './sample-plane.ts'

/** One person, cut out, in the picture's frame. */
export interface CutOut {
  image: RgbImage
  alpha: BytePlane
  light: LightPlan
  /** Middle of the face, in the picture's pixels: where the light's ramp is 0. */
  faceX: number
  headSize: number
}

export interface BlendOptions {
  /** Behind everybody; at a small size. */
  background: ColourPlanes
  back: CutOut
  front: CutOut
  /** Standard deviation of the grain in 8-bit steps. */
  grain: number
}

/** The small size at which shadows and light wrap are made. */
const shrink = 8

/**
 * Lays background, back and front person over each other, with what ties them together: the
 * bodies darken the background a little, the front person throws a soft shadow on the back one,
 * the background's light wraps around the rims, and the lens vignettes and grains everything.
 */
export function blend(options: BlendOptions): RgbImage {
  const { front, back, background } = options
  const { width, height } = front.image
  const result = createRgb(width, height)
  const shadow = softShadow(front, back)
  const ambient = ambientShadow(front, back)
  const planes = background.map((plane) => plane)
  const backPaint = painter(back)
  const frontPaint = painter(front)
  const rows = {
    r: new Float32Array(width),
    g: new Float32Array(width),
    b: new Float32Array(width),
    shadow: new Float32Array(width),
    ambient: new Float32Array(width),
  }
  const pixel = new Float32Array(3)
  const halfWidth = width / 2
  const halfHeight = height / 2
  const corner = halfWidth * halfWidth + halfHeight * halfHeight
  for (let y = 0, i = 0; y < height; y++) {
    rowOf(planes[0]!, y, height, rows.r)
    rowOf(planes[1]!, y, height, rows.g)
    rowOf(planes[2]!, y, height, rows.b)
    rowOf(shadow, y, height, rows.shadow)
    rowOf(ambient, y, height, rows.ambient)
    const dy = (y - halfHeight) ** 2
    for (let x = 0; x < width; x++, i++) {
      const dark = 1 - 0.16 * rows.ambient[x]!
      let r = rows.r[x]! * dark
      let g = rows.g[x]! * dark
      let b = rows.b[x]! * dark
      const backAlpha = back.alpha.data[i]!
      const frontAlpha = front.alpha.data[i]!
      if (backAlpha > 0 && frontAlpha < 255) {
        backPaint(i, x, pixel)
        const a = backAlpha / 255
        const shade = 1 - 0.34 * rows.shadow[x]!
        r += (pixel[0]! * shade - r) * a
        g += (pixel[1]! * shade - g) * a
        b += (pixel[2]! * shade - b) * a
      }
      if (frontAlpha > 0) {
        frontPaint(i, x, pixel)
        const a = frontAlpha / 255
        r += (pixel[0]! - r) * a
        g += (pixel[1]! - g) * a
        b += (pixel[2]! - b) * a
      }
      const away = ((x - halfWidth) ** 2 + dy) / corner
      const lens = 1 - 0.16 * away * away
      const noise = grainAt(i) * options.grain
      const at = i * 3
      result.data[at] = clamp(r * lens + noise + 0.5, 0, 255)
      result.data[at + 1] = clamp(g * lens + noise + 0.5, 0, 255)
      result.data[at + 2] = clamp(b * lens + noise + 0.5, 0, 255)
    }
  }
  return result
}

/** Changes one pixel of a cut-out by its light plan. */
function painter(person: CutOut): (i: number, x: number, pixel: Float32Array) => void {
  const red = lightTable(person.light, 0)
  const green = lightTable(person.light, 1)
  const blue = lightTable(person.light, 2)
  const { saturation } = person.light
  const { data, width } = person.image
  const ramp = new Float32Array(width)
  for (let x = 0; x < width; x++) {
    const away = clamp((x - person.faceX) / person.headSize, -1.2, 1.2)
    // log2 of light, about 2.2 times smaller in sRGB values.
    ramp[x] = 2 ** ((person.light.ramp * away) / 2.2)
  }
  return (i, x, pixel) => {
    const at = i * 3
    const r = red[data[at]!]!
    const g = green[data[at + 1]!]!
    const b = blue[data[at + 2]!]!
    const grey = 0.299 * r + 0.587 * g + 0.114 * b
    const gain = ramp[x]!
    pixel[0] = (grey + (r - grey) * saturation) * gain
    pixel[1] = (grey + (g - grey) * saturation) * gain
    pixel[2] = (grey + (b - grey) * saturation) * gain
  }
}

/** The front person's shadow on the back one: near and dark, wide and faint. */
function softShadow(front: CutOut, back: CutOut): Plane {
  const alpha = shrinkAlpha(front.alpha)
  const near = gaussianBlur(alpha, (0.07 * back.headSize) / shrink)
  const wide = gaussianBlur(alpha, (0.2 * back.headSize) / shrink)
  const result = createPlane(alpha.width, alpha.height)
  for (let i = 0; i < result.data.length; i++) {
    result.data[i] = 0.5 * near.data[i]! + 0.5 * wide.data[i]!
  }
  return result
}

function ambientShadow(front: CutOut, back: CutOut): Plane {
  const one = shrinkAlpha(front.alpha)
  const other = shrinkAlpha(back.alpha)
  for (let i = 0; i < one.data.length; i++) {
    one.data[i] = Math.max(one.data[i]!, other.data[i]!)
  }
  return gaussianBlur(one, (0.25 * front.headSize) / shrink)
}

function shrinkAlpha(alpha: BytePlane): Plane {
  const width = Math.ceil(alpha.width / shrink)
  const height = Math.ceil(alpha.height / shrink)
  const result = createPlane(width, height)
  for (let y = 0, i = 0; y < height; y++) {
    const from = Math.min(y * shrink + (shrink >> 1), alpha.height - 1) * alpha.width
    for (let x = 0; x < width; x++, i++) {
      const at = Math.min(x * shrink + (shrink >> 1), alpha.width - 1)
      result.data[i] = alpha.data[from + at]! / 255
    }
  }
  return result
}

const rowBuffers = new WeakMap<Plane, Float32Array>()

/** One row of a small plane at the full width, bilinear. */
function rowOf(plane: Plane, y: number, height: number, row: Float32Array): void {
  let line = rowBuffers.get(plane)
  if (!line) rowBuffers.set(plane, (line = new Float32Array(plane.width)))
  const sy = clamp(((y + 0.5) * plane.height) / height - 0.5, 0, plane.height - 1)
  const y0 = Math.floor(sy)
  const fy = sy - y0
  const top = y0 * plane.width
  const below = Math.min(y0 + 1, plane.height - 1) * plane.width
  for (let x = 0; x < plane.width; x++) {
    line[x] = plane.data[top + x]! * (1 - fy) + plane.data[below + x]! * fy
  }
  const step = plane.width / row.length
  for (let x = 0; x < row.length; x++) {
    const sx = clamp((x + 0.5) * step - 0.5, 0, plane.width - 1)
    const x0 = Math.floor(sx)
    const fx = sx - x0
    row[x] = line[x0]! * (1 - fx) + line[Math.min(x0 + 1, plane.width - 1)]! * fx
  }
}

/** Resizes three planes alike. */
export function resizeColours(planes: ColourPlanes, width: number, height: number): ColourPlanes {
  return [
    resizePlane(planes[0], width, height),
    resizePlane(planes[1], width, height),
    resizePlane(planes[2], width, height),
  ]
}
