import { clamp, createPlane } from '../../image/raster.ts'
import type { Plane, Point, RgbImage } from '../../image/raster.ts'
import { linearOfSrgb, luminance } from '../../image/srgb.ts'

/** Where a camera that is held level has its horizon, of the photo's height from the top. */
const usualHorizon = 0.47
const usualSpread = 0.13
/** A horizon outside of these is a guess gone wrong. */
const horizonRange = [0.15, 0.85] as const

/** The size at which lines are looked for. */
const workSide = 256
/** Edges nearer than this (radians) to upright or level tell nothing of a vanishing point. */
const tellingAngle = 0.14
/** Edges that lead to a point within this angle count for it. */
const hitAngle = 0.035
const edgesMax = 2_500
/** Places at which a vanishing point is tried, across and down. */
const tries = [13, 27] as const
/** What a row's brightness must change by, over the whole width, to be an outline against the sky. */
const skylineMin = 0.05

/**
 * Estimates where the horizon of a photo lies, of its height from the top: from the point at which lines
 * that lead into the depth meet, from a line between sky and ground, and from the eyes of people who
 * stand in the distance, whose height is the camera's. Without any of these it is where a camera that
 * is held level has it.
 * @param eyes of people far away, of the photo's size
 */
export function findHorizon(image: RgbImage, eyes: readonly Point[]): number {
  const plane = brightness(image)
  const rows = Array.from({ length: tries[1] }, (_, n) => n / (tries[1] - 1))
  const meeting = scoreMeetingPoints(plane, rows)
  const skyline = scoreSkyline(plane, rows)
  const costs = rows.map((row, n) => {
    let cost = ((row - usualHorizon) / usualSpread) ** 2 / 2
    for (const { y } of eyes) cost += Math.min(4, ((row - y) / 0.05) ** 2 / 2)
    return cost - meeting[n]! - skyline[n]!
  })
  const best = costs.indexOf(Math.min(...costs))
  return clamp(rows[best]!, ...horizonRange)
}

/** Perceived brightness 0…1 at the small size. */
function brightness({ data, width, height }: RgbImage): Plane {
  const shrink = Math.min(1, workSide / Math.max(width, height))
  const plane = createPlane(
    Math.max(8, Math.round(width * shrink)),
    Math.max(8, Math.round(height * shrink)),
  )
  for (let y = 0, i = 0; y < plane.height; y++) {
    const row = Math.floor(((y + 0.5) * height) / plane.height) * width
    for (let x = 0; x < plane.width; x++, i++) {
      const at = (row + Math.floor(((x + 0.5) * width) / plane.width)) * 3
      const linear = luminance(
        linearOfSrgb[data[at]!]!,
        linearOfSrgb[data[at + 1]!]!,
        linearOfSrgb[data[at + 2]!]!,
      )
      plane.data[i] = Math.cbrt(linear)
    }
  }
  return plane
}

interface Edge extends Point {
  /** The edge's direction, radians. */
  angle: number
  weight: number
}

/** For each row how well lines meet on it, 0 to 4. */
function scoreMeetingPoints(plane: Plane, rows: readonly number[]): number[] {
  const edges = findEdges(plane)
  const total = edges.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return rows.map(() => 0)
  const scores = rows.map((row) => {
    const columns = Array.from({ length: tries[0] }, (_, n) => {
      const at = { x: (n / (tries[0] - 1)) * plane.width, y: row * plane.height }
      return edges.reduce((sum, edge) => sum + leadsTo(edge, at), 0) / total
    })
    return Math.max(...columns)
  })
  // Edges of all directions meet anywhere a little; only what stands out tells something.
  const usual = scores.toSorted((one, other) => one - other)[scores.length >> 1]!
  return scores.map((score) => clamp((score - usual) * 40, 0, 4))
}

function leadsTo({ x, y, angle, weight }: Edge, to: Point): number {
  const off = Math.abs(Math.sin(Math.atan2(to.y - y, to.x - x) - angle))
  return off < hitAngle ? weight * (1 - off / hitAngle) : 0
}

/** The strongest edges that are neither upright nor level. */
function findEdges({ data, width, height }: Plane): Edge[] {
  const edges: Edge[] = []
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      const [above, below] = [i - width, i + width]
      const gx =
        data[above + 1]! -
        data[above - 1]! +
        2 * (data[i + 1]! - data[i - 1]!) +
        data[below + 1]! -
        data[below - 1]!
      const gy =
        data[below - 1]! -
        data[above - 1]! +
        2 * (data[below]! - data[above]!) +
        data[below + 1]! -
        data[above + 1]!
      const strength = Math.hypot(gx, gy)
      if (strength < 0.12) continue
      const angle = Math.atan2(gx, -gy)
      const level = Math.abs(Math.sin(angle))
      if (level < Math.sin(tellingAngle) || level > Math.cos(tellingAngle)) continue
      edges.push({ x: x + 0.5, y: y + 0.5, angle, weight: Math.min(1, strength) })
    }
  }
  if (edges.length <= edgesMax) return edges
  return edges.toSorted((one, other) => other.weight - one.weight).slice(0, edgesMax)
}

/** For each row how much it looks like the line between sky and ground or sea, 0 to 4. */
function scoreSkyline({ data, width, height }: Plane, rows: readonly number[]): number[] {
  const reach = Math.max(2, Math.round(height / 40))
  return rows.map((row) => {
    const y = Math.round(row * height)
    if (y < reach || y + reach > height) return 0
    let sum = 0
    let square = 0
    for (let x = 0; x < width; x++) {
      let step = 0
      for (let n = 1; n <= reach; n++) {
        step += data[(y - n) * width + x]! - data[(y + n - 1) * width + x]!
      }
      step /= reach
      sum += step
      square += step * step
    }
    const mean = sum / width
    const spread = Math.sqrt(Math.max(0, square / width - mean * mean))
    // The sky is brighter than the ground, all along.
    return mean < skylineMin ? 0 : clamp((mean / (spread + 0.02)) * mean * 14, 0, 4)
  })
}
