import { arrangementLimits } from '@starside/contract/arrangement-limits.ts'
import { arrangement } from '@starside/contract/arrangement.ts'
import { expect, it } from 'vitest'
import { testArrangement } from '../testing/test-arrangement.ts'
import { isFull, paintStroke, usualBrush } from './brush.ts'

it('sends what the server takes, however fast or long somebody paints', () => {
  let painted = testArrangement
  for (let n = 0; n < 200; n++) {
    const path = Array.from({ length: 300 }, (_, at) => ({ x: Math.sin(at) * 20, y: n / 50 }))
    painted = paintStroke(painted, 1, usualBrush, path.slice(0, 1 + (n % 40)))
  }
  expect(arrangement.safeParse(painted).success).toBe(true)
  expect(painted.subjects[1]!.retouch!.length).toBeGreaterThan(5)
  expect(painted.subjects[0]).toBe(testArrangement.subjects[0])
})

it('takes no more strokes than may be sent, and says when they are used up', () => {
  let painted = testArrangement
  for (let n = 0; n < arrangementLimits.strokesMax; n++) {
    expect(isFull(painted, 0)).toBe(false)
    painted = paintStroke(painted, 0, usualBrush, [{ x: 0, y: n / 10 }])
  }
  expect(isFull(painted, 0)).toBe(true)
  expect(paintStroke(painted, 0, usualBrush, [{ x: 0, y: 0 }])).toBe(painted)
})
