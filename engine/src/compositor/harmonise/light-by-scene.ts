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
/** How far the light from behind reaches over a rim, in head sizes. */
const rimReach = 0.09
/** How far beyond the rim the lamps are looked for, in head sizes. */
const rimLook = 0.3
/** What of the light from behind any surface throws to the camera, beside its own colour's share. */
const gloss = 0.05
/** The brightest light that counts; lamps themselves are far brighter. */
const surroundingsMax = 2.5

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
  const { head, bottomStops, rim, surroundings } = lighting
  const shrink = shrinkFor(usualShrink, alpha)
  const own = shrinkAlpha(alpha, shrink)
  const { width, height } = own
  const others = lighting.others.map((other) => shrinkAlpha(other, shrink))
  const soft = gaussianBlur(own, (rimReach * head.size) / shrink)
  const fall = createPlane(width, height)
  const [red, green, blue] = mapTriple([0, 1, 2], () => createPlane(width, height))
  const look = (rimLook * head.size) / shrink
  const chin = head.chinY / shrink
  const toSurroundingsX = surroundings[0].width / width
  const toSurroundingsY = surroundings[0].height / height
  for (let y = 0, i = 0; y < height; y++) {
    const down = smoothstep(chin, Math.max(height, chin + 1), y)
    const factor = 2 ** (-bottomStops * down)
    for (let x = 0; x < width; x++, i++) {
      fall.data[i] = factor
      if (own.data[i]! < 0.02) continue
      const edge = clamp((1 - soft.data[i]!) * 1.9, 0, 1) ** 1.6
      if (edge < 0.01) continue
      const nx = samplePlane(soft, x - 0.5, y + 0.5) - samplePlane(soft, x + 1.5, y + 0.5)
      const ny = samplePlane(soft, x + 0.5, y - 0.5) - samplePlane(soft, x + 0.5, y + 1.5)
      const length = Math.hypot(nx, ny)
      if (length < 1e-3) continue
      const toX = x + 0.5 + (nx / length) * look
      const toY = y + 0.5 + (ny / length) * look
      let free = edge
      for (const other of others) free *= 1 - samplePlane(other, toX, toY)
      for (const [c, plane] of [red, green, blue].entries()) {
        const behind = samplePlane(surroundings[c]!, toX * toSurroundingsX, toY * toSurroundingsY)
        plane.data[i] = free * rim[c]! * Math.min(surroundingsMax, behind)
      }
    }
  }
  return [fall, red, green, blue]
}

const steps = 4096
const srgb = Uint8Array.from({ length: steps + 1 }, (_, i) => Math.round(srgbOfLinear(i / steps)))

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
        const lit = own * fall + added * (own + gloss)
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
