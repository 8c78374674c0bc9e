import { randomFrom } from '@starside/engine/image/random-from.ts'
import type { ColourPlanes } from '@starside/engine/image/colour-planes.ts'
import type { Plane } from '@starside/engine/image/raster.ts'
import { samplePlane } from '@starside/engine/image/sample-plane.ts'

/** How far to both sides of the outline colours are compared, in head sizes. */
const reach = 0.08
/** How often the outline is set elsewhere, and how far away at most, in head sizes. */
const chances = 24
const away = 1.2
/** Steps below this (8-bit) can't be seen in a background, wherever they are. */
const unseen = 1.5
/** Less of an outline than this, in head sizes, is too short to measure. */
const lengthMin = 0.4

interface OutlinePoint {
  x: number
  y: number
  /** The unit normal, out of the hole. */
  nx: number
  ny: number
}

/**
 * How much the outline of the people who were taken out of a background still shows: the mean step
 * of colour across the outline over that across the same outline set at random places nearby. 1 is
 * chance, 2 is seen at first glance. Only what no person covers counts.
 * @param people where they stood, 0…1, over the same pixels as the background
 * @param isCovered whether a pixel of the background is covered
 * @returns undefined where all of the outline is covered
 */
export function outlineResidueOf(
  background: ColourPlanes,
  people: Plane,
  headSize: number,
  isCovered: (x: number, y: number) => boolean,
): number | undefined {
  const outline = findOutline(people)
  const visible = outline.filter(({ x, y }) => !isCovered(x, y))
  if (visible.length < lengthMin * headSize) return undefined
  const meanStep = (dx: number, dy: number): number | undefined => {
    const steps = visible.flatMap((point) => {
      const moved = { ...point, x: point.x + dx, y: point.y + dy }
      const inside =
        moved.x >= 0 && moved.y >= 0 && moved.x < people.width && moved.y < people.height
      if (!inside || isCovered(moved.x, moved.y)) return []
      return [stepAt(background, moved, reach * headSize)]
    })
    if (steps.length < visible.length * 0.4) return undefined
    return steps.reduce((sum, step) => sum + step, 0) / steps.length
  }
  const random = randomFrom(1)
  const elsewhere: number[] = []
  for (let tries = 0; elsewhere.length < chances && tries < chances * 8; tries++) {
    const turn = random() * 2 * Math.PI
    const far = (0.3 + random() * (away - 0.3)) * headSize
    const step = meanStep(Math.cos(turn) * far, Math.sin(turn) * far)
    if (step !== undefined) elsewhere.push(step)
  }
  if (elsewhere.length < 3) return undefined
  const chance = elsewhere.reduce((sum, step) => sum + step, 0) / elsewhere.length
  return (meanStep(0, 0)! + unseen) / (chance + unseen)
}

/** Where the plane crosses one half, with the direction in which it falls. */
function findOutline(people: Plane): OutlinePoint[] {
  const { width, height, data } = people
  const points: OutlinePoint[] = []
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const i = y * width + x
      const crosses =
        data[i]! > 0.5 &&
        Math.min(data[i - 1]!, data[i + 1]!, data[i - width]!, data[i + width]!) <= 0.5
      if (!crosses) continue
      const gx = data[i + 2]! - data[i - 2]!
      const gy = data[i + 2 * width]! - data[i - 2 * width]!
      const length = Math.hypot(gx, gy)
      if (length > 0.05) points.push({ x: x + 0.5, y: y + 0.5, nx: -gx / length, ny: -gy / length })
    }
  }
  return points
}

/** Distance of the colours at both sides of a point of the outline, in 8-bit steps. */
function stepAt(background: ColourPlanes, { x, y, nx, ny }: OutlinePoint, far: number): number {
  const squares = background.reduce((sum, plane) => {
    const outside = samplePlane(plane, x + nx * far, y + ny * far)
    return sum + (outside - samplePlane(plane, x - nx * far, y - ny * far)) ** 2
  }, 0)
  return Math.sqrt(squares / 3)
}
