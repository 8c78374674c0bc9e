import { expect, test } from 'vitest'
import type { BrushStroke } from '../../arrangement.ts'
import { placeFace } from '../../testing/test-face.ts'
import { testReading } from '../../testing/test-reading.ts'
import { createFrame } from '../shared-frames.ts'
import type { SubjectLayer } from './layers.ts'
import { retouchLayer } from './retouch-layer.ts'

/** A head of 160 pixels whose middle lies in the middle of the layer, at a half or a quarter of its size. */
function somebody(scale: number): SubjectLayer {
  const { head } = placeFace({ x: 200, y: 200 }, 160)
  const side = 400 * scale
  const frame = createFrame(side, side)
  frame.alpha.data.fill(200)
  const { x, y } = head.centre
  return {
    frame,
    place: { left: x - 200, top: y - 200, scale },
    reading: { ...testReading, heads: [head], head },
  }
}

const stroke: BrushStroke = {
  kind: 'erase',
  size: 0.5,
  softness: 0.5,
  points: [
    { x: 0, y: 0 },
    { x: 0.5, y: 0 },
  ],
}

/** The alpha at so many head sizes from the middle of the head. */
function alphaAt({ frame: { alpha }, reading, place }: SubjectLayer, x: number, y = 0): number {
  const unit = reading.heads[0]!.size * place.scale
  const middle = alpha.width / 2
  return alpha.data[Math.round(middle + y * unit) * alpha.width + Math.round(middle + x * unit)]!
}

test.each([0.5, 0.25])(
  'a stroke erases with a soft edge, in a layer at %d of its photo',
  (scale) => {
    const layer = somebody(scale)
    const erased = retouchLayer(layer, [stroke])
    for (const x of [0, 0.25, 0.5]) expect(alphaAt(erased, x)).toBe(0)
    expect(alphaAt(erased, 0.25, 0.19)).toBeGreaterThan(40)
    expect(alphaAt(erased, 0.25, 0.19)).toBeLessThan(160)
    expect(alphaAt(erased, 0.25, 0.28)).toBe(200)
    expect(alphaAt(layer, 0), 'the layer itself stays').toBe(200)
  },
)

test('what was erased is restored, faint parts stronger, and nothing where nobody was', () => {
  const layer = somebody(0.5)
  const { width, data } = layer.frame.alpha
  for (let i = 0; i < data.length; i++) if (i % width < width / 2) data[i] = 0
  const restored = retouchLayer(layer, [stroke, { ...stroke, kind: 'restore' }])
  expect(alphaAt(restored, 0.25)).toBe(255)
  expect(alphaAt(restored, -0.1)).toBe(0)
})

test('without a stroke the layer is given back', () => {
  const layer = somebody(0.5)
  expect(retouchLayer(layer)).toBe(layer)
  expect(retouchLayer(layer, [])).toBe(layer)
})

test('a stroke beside the layer changes nothing', () => {
  const layer = somebody(0.5)
  const beside = retouchLayer(layer, [{ ...stroke, points: [{ x: -12, y: 12 }] }])
  expect(Buffer.compare(beside.frame.alpha.data, layer.frame.alpha.data)).toBe(0)
})
