import { expect, test } from 'vitest'
import { canonicalScale, readPlane } from './canonical-plane.ts'
import { codedBitsCount } from './mark-code.ts'
import { drawTile, markWaves, radiusOf } from './mark-pattern.ts'

const key = Buffer.from('a key of an operator')

test('a key has waves of its own, of which none is another’s mirror image, and a tile of power 1', () => {
  const waves = markWaves(key)
  expect(markWaves(key)).toEqual(waves)
  const others = markWaves(Buffer.from('another key'))
  const places = (some: typeof waves) => some.map(({ kx, ky }) => `${kx} ${ky}`)
  expect(places(others)).not.toEqual(places(waves))
  expect(places(others).toSorted()).toEqual(places(waves).toSorted())
  const mirrored = waves.map(({ kx, ky }) => ({ ...waves[0]!, kx: -kx, ky: -ky }))
  expect(new Set([...places(waves), ...places(mirrored)]).size).toBe(2 * waves.length)
  const radii = waves.map(radiusOf)
  expect([Math.min(...radii), Math.max(...radii)], 'no blotches, nothing that JPEG loses').toEqual([
    9, 28,
  ])
  const bits = Array.from({ length: codedBitsCount }, (_, at) => (at % 3 === 0 ? 1 : -1))
  const tile = drawTile(waves, bits)
  expect(tile.reduce((sum, value) => sum + value ** 2, 0) / tile.length).toBeCloseTo(1, 9)
})

test.each([
  ['red', [255, 0, 0], 76.245],
  ['green', [0, 255, 0], 149.685],
  ['blue', [0, 0, 255], 29.07],
])('brightness of %s is that of BT.601', async (_name, colour, luma) => {
  const pixels = Uint8Array.from({ length: 8 * 4 * 3 }, (_, at) => colour[at % 3]!)
  const plane = await readPlane({ pixels, widthPx: 8, heightPx: 4 }, 0.5)
  expect([plane.width, plane.height]).toEqual([4, 2])
  for (const value of plane.data) expect(value).toBeCloseTo(luma, 3)
})

test('pictures of any shape lie on a grid of the same area', () => {
  for (const [width, height] of [
    [1024, 1024],
    [1024, 1536],
    [2400, 600],
  ] as const) {
    const scale = canonicalScale(width, height)
    expect(width * scale * height * scale).toBeCloseTo(576 * 576, 6)
  }
})
