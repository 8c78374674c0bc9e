import { mapTriple } from '../../image/map-triple.ts'
import { gaussianBlur } from '../../image/box-blur.ts'
import type { ColourPlanes } from '../../image/colour-planes.ts'
import { clamp, createPlane, smoothstep } from '../../image/raster.ts'
import type { BytePlane, Plane } from '../../image/raster.ts'
import { samplePlane } from '../../image/sample-plane.ts'
import { linearOfSrgb, srgbOfLinear } from '../../image/srgb.ts'
import type { Frame } from '../shared-frames.ts'
import { shrinkFor } from '../small-planes.ts'

/** How the light of a scene falls on one person. In the picture's pixels. */
export interface SceneLighting {
  head: { size: number; chinY: number }
  /** How much darker they get down to the lower edge, in stops. */
  bottomStops: number
  /** Strength of the light on the rims, on red, green and blue. */
  rim: readonly [number, number, number]
  /** Linear radiance about every place of the picture. */
  surroundings: ColourPlanes
  /** Everybody else in the picture: their bodies are in the way of the light from behind. */
  others: readonly BytePlane[]
}

/** The size at which the light is planned. */
const usualShrink = 8
/**
 * The light from behind falls on a narrow rim of hair and shoulders, and from aside, weaker, far onto
 * cheeks and chests. Reach over the rim and how far beyond it the lamps are looked for, in head sizes.
 */
const layers = [
  { reach: 0.07, look: 0.22, share: 1, steep: 1.9, exponent: 1.8 },
  { reach: 0.3, look: 0.5, share: 0.3, steep: 1.5, exponent: 1.3 },
] as const
/** How softly the light from behind ends where somebody stands in its way, in head sizes. */
const shadeReach = 0.12
/** Light that grazes a surface shines off it, off dark hair most; black gaps between strands stay black. */
const gloss = 0.05
const glossFrom = 0.02
/**
 * Light of this brightness counts half: beside the light on the faces, which a camera exposes for, the
 * colours of a dim place are seen as well, and lamps, which are far brighter, glare no more than a wall.
 */
const halfLight = 0.25

/**
 * Lights a person by what surrounds them in a scene, in place: the light falls off downwards, and
 * what is bright behind them shines over the rims that face it.
 */
export function lightByScene(frame: Frame, lighting: SceneLighting): void {
  applyPlanes(frame, planLighting(frame, lighting))
}

/** Four planes at the small size: the factor of the fall-off, and red, green and blue of the rim. */
type LightPlanes = readonly [Plane, Plane, Plane, Plane]

function planLighting(frame: Frame, lighting: SceneLighting): LightPlanes {
  const { alpha } = frame
  const { head, bottomStops } = lighting
  const shrink = shrinkFor(usualShrink, alpha)
  const own = shrinkAlpha(alpha, shrink)
  const { width, height } = own
  const chin = head.chinY / shrink
  const fall = createPlane(width, height)
  for (let y = 0; y < height; y++) {
    const down = smoothstep(chin, Math.max(height, chin + 1), y)
    fall.data.fill(2 ** (-bottomStops * down), y * width, (y + 1) * width)
  }
  const others = lighting.others.map((other) =>
    gaussianBlur(shrinkAlpha(other, shrink), (shadeReach * head.size) / shrink),
  )
  const added = mapTriple([0, 1, 2], () => createPlane(width, height))
  for (const layer of layers) addLayer(added, own, others, { ...lighting, shrink }, layer)
  return [fall, ...added]
}

/** Adds what comes from behind, or from aside, to the three planes of a person. */
function addLayer(
  added: ColourPlanes,
  own: Plane,
  others: readonly Plane[],
  { head, rim, surroundings, shrink }: SceneLighting & { shrink: number },
  { reach, look, share, steep, exponent }: (typeof layers)[number],
): void {
  const { width, height } = own
  const soft = gaussianBlur(own, (reach * head.size) / shrink)
  const far = (look * head.size) / shrink
  const toSurroundingsX = surroundings[0].width / width
  const toSurroundingsY = surroundings[0].height / height
  const behind = new Float64Array(3)
  for (let y = 0, i = 0; y < height; y++) {
    const above = y > 0 ? -width : 0
    const below = y < height - 1 ? width : 0
    for (let x = 0; x < width; x++, i++) {
      if (own.data[i]! < 0.02) continue
      const edge = Math.min(1, (1 - soft.data[i]!) * steep)
      if (edge < 0.03) continue
      const nx = soft.data[x > 0 ? i - 1 : i]! - soft.data[x < width - 1 ? i + 1 : i]!
      const ny = soft.data[i + above]! - soft.data[i + below]!
      const length = Math.sqrt(nx * nx + ny * ny)
      if (length < 1e-3) continue
      const toX = x + 0.5 + (nx / length) * far
      const toY = y + 0.5 + (ny / length) * far
      let free = edge ** exponent * share
      for (const other of others) free *= 1 - samplePlane(other, toX, toY)
      if (free < 0.01) continue
      sampleColour(surroundings, toX * toSurroundingsX, toY * toSurroundingsY, behind)
      free /= Math.max(behind[0]!, behind[1]!, behind[2]!) + halfLight
      added[0].data[i]! += free * rim[0] * behind[0]!
      added[1].data[i]! += free * rim[1] * behind[1]!
      added[2].data[i]! += free * rim[2] * behind[2]!
    }
  }
}

/** Bilinear values of three planes of one size, as `samplePlane` gives them one by one. */
function sampleColour(planes: ColourPlanes, x: number, y: number, colour: Float64Array): void {
  const { width, height } = planes[0]
  const sx = clamp(x - 0.5, 0, width - 1)
  const sy = clamp(y - 0.5, 0, height - 1)
  const at = (sy | 0) * width + (sx | 0)
  const right = sx < width - 1 ? 1 : 0
  const below = sy < height - 1 ? width : 0
  const fx = sx - (sx | 0)
  const fy = sy - (sy | 0)
  for (let c = 0; c < 3; c++) {
    const { data } = planes[c]!
    const top = data[at]! + (data[at + right]! - data[at]!) * fx
    const bottom = data[at + below]! + (data[at + below + right]! - data[at + below]!) * fx
    colour[c] = top + (bottom - top) * fy
  }
}

const steps = 4096
const srgb = Uint8Array.from({ length: steps + 1 }, (_, i) => Math.round(srgbOfLinear(i / steps)))

/** How much of the light from behind every 8-bit value throws to the camera, as a factor on its own share. */
const shine = linearOfSrgb.map((own) => 1 + gloss / (own + glossFrom))

function applyPlanes({ image, alpha }: Frame, planes: LightPlanes): void {
  const { width, height, data } = image
  const small = planes[0]
  const shrink = shrinkFor(usualShrink, image)
  const line = new Float32Array((small.width + 1) * 4)
  const indices = new Int32Array(width)
  const fractions = new Float32Array(width)
  for (let x = 0; x < width; x++) {
    const place = clamp((x + 0.5) / shrink - 0.5, 0, small.width - 1)
    indices[x] = Math.floor(place) * 4
    fractions[x] = place - Math.floor(place)
  }
  for (let y = 0, i = 0; y < height; y++) {
    mixRows(planes, (y + 0.5) / shrink - 0.5, line)
    for (let x = 0; x < width; x++, i++) {
      if (alpha.data[i] === 0) continue
      const at = indices[x]!
      const part = fractions[x]!
      const fall = line[at]! + (line[at + 4]! - line[at]!) * part
      for (let c = 0; c < 3; c++) {
        const left = line[at + c + 1]!
        const added = left + (line[at + c + 5]! - left) * part
        const own = linearOfSrgb[data[i * 3 + c]!]!
        const lit = own * (fall + added * shine[data[i * 3 + c]!]!)
        data[i * 3 + c] = srgb[Math.min(steps, (lit * steps + 0.5) | 0)]!
      }
    }
  }
}

/** One row between two of the small planes', interleaved, its last place twice. */
function mixRows(planes: LightPlanes, place: number, line: Float32Array): void {
  const { width, height } = planes[0]
  const bounded = clamp(place, 0, height - 1)
  const upper = Math.floor(bounded) * width
  const lower = Math.min(Math.floor(bounded) + 1, height - 1) * width
  const share = bounded - Math.floor(bounded)
  for (const [lane, { data }] of planes.entries()) {
    for (let x = 0; x < width; x++) {
      line[x * 4 + lane] = data[upper + x]! + (data[lower + x]! - data[upper + x]!) * share
    }
    line[width * 4 + lane] = line[(width - 1) * 4 + lane]!
  }
}

/** Mean of four places in each square. */
function shrinkAlpha({ data, width, height }: BytePlane, shrink: number): Plane {
  const result = createPlane(Math.ceil(width / shrink), Math.ceil(height / shrink))
  const quarter = shrink >> 2
  for (let y = 0, i = 0; y < result.height; y++) {
    const upper = Math.min(y * shrink + quarter, height - 1) * width
    const lower = Math.min(y * shrink + 3 * quarter, height - 1) * width
    for (let x = 0; x < result.width; x++, i++) {
      const left = Math.min(x * shrink + quarter, width - 1)
      const right = Math.min(x * shrink + 3 * quarter, width - 1)
      const sum =
        data[upper + left]! + data[upper + right]! + data[lower + left]! + data[lower + right]!
      result.data[i] = sum / 1020
    }
  }
  return result
}
