import { arrangementLimits } from '@starside/contract/arrangement-limits.ts'
import type { Arrangement, BrushStroke } from '@starside/contract/arrangement.ts'
import { changeSubject } from './adjust-arrangement.ts'
import type { Point } from './picture-view.ts'

/** What a stroke is painted with. */
export type Brush = Omit<BrushStroke, 'points'>

export const usualBrush: Brush = { kind: 'erase', size: 0.2, softness: 0.5 }

const { strokesMax, strokePointsMax, strokeStepMax, strokeReachMax } = arrangementLimits

/** Whether a person takes no more strokes. */
export function isFull({ subjects }: Arrangement, index: number): boolean {
  const strokes = subjects[index]?.retouch ?? []
  return strokes.length >= strokesMax || pointsOf(strokes) >= strokePointsMax
}

/** Adds a stroke, in head sizes from the middle of the head; no change where there is no room for it. */
export function paintStroke(
  arrangement: Arrangement,
  index: number,
  brush: Brush,
  path: readonly Point[],
): Arrangement {
  const before = arrangement.subjects[index]?.retouch ?? []
  const points = evenOut(path, brush.size)
  const retouch = [...before, { ...brush, points }]
  const isBeyond = retouch.length > strokesMax || pointsOf(retouch) > strokePointsMax
  if (points.length === 0 || isBeyond) return arrangement
  return changeSubject(arrangement, index, { retouch })
}

function pointsOf(strokes: readonly { points: readonly Point[] }[]): number {
  return strokes.reduce((sum, { points }) => sum + points.length, 0)
}

/** As many points as the eye needs, none farther from the one before than may be sent. */
function evenOut(path: readonly Point[], size: number): Point[] {
  const points: Point[] = []
  for (const { x, y } of path) {
    const last = points.at(-1)
    const [across, down] = last ? [x - last.x, y - last.y] : [0, 0]
    const length = Math.hypot(across, down)
    if (last && length < size / 6) continue
    const steps = Math.max(1, Math.ceil(length / (0.9 * strokeStepMax)))
    for (let n = 1; n <= steps; n++) {
      const rest = 1 - n / steps
      points.push({ x: rounded(x - rest * across), y: rounded(y - rest * down) })
    }
  }
  return points.filter(({ x, y }) => Math.max(Math.abs(x), Math.abs(y)) <= strokeReachMax)
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
