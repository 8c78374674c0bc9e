import { describe, expect, it } from 'vitest'
import { decideAreas } from './decide-areas.ts'
import { headAt } from '../../testing/test-heads.ts'
import { paintPlane } from '../../testing/test-images.ts'
import type { Plane } from '../../image/raster.ts'

const size = 256
const head = headAt(128, 90, 60)

/** The head with shoulders, and a square about a point of which the network is so sure. */
function decide(squareX: number, squareY: number, sure: number, half = 20): Plane {
  const matte = paintPlane(size, size, (x, y) => {
    if (Math.abs(x - squareX) <= half && Math.abs(y - squareY) <= half) return sure
    const isBody = y > 135 && Math.abs(x - 128) < 75
    return isBody || Math.hypot((x - 128) / 28, (y - 90) / 42) < 1 ? 1 : 0
  })
  decideAreas({ region: { x: 0, y: 0, width: size, height: size }, matte }, head.size, [head])
  return matte
}

const at = (matte: Plane, x: number, y: number): number => matte.data[y * size + x]!

describe('an area that the network leaves half', () => {
  it.each([0.3, 0.5, 0.7])('is no person beside a head (%f)', (sure) => {
    expect(at(decide(205, 90, sure), 205, 90)).toBe(0)
  })

  it.each([0.4, 0.6, 0.8])('is a person on a chest (%f)', (sure) => {
    expect(at(decide(128, 190, sure), 128, 190)).toBe(1)
  })

  it('is a person anywhere where the network is nearly sure, as of a raised hand', () => {
    expect(at(decide(205, 90, 0.97), 205, 90)).toBeGreaterThan(0.95)
  })

  it('stays as it is where a head has its hair', () => {
    expect(at(decide(168, 90, 0.6, 8), 168, 90)).toBeCloseTo(0.6, 1)
  })

  it('has an edge, and what is sure beside it stays', () => {
    const matte = decide(205, 90, 0.6)
    expect(at(matte, 128, 90)).toBe(1)
    expect(at(matte, 175, 90)).toBeLessThan(0.02)
  })
})

describe('a soft edge', () => {
  it('stays as the network sees it', () => {
    // Hair that thins out over a tenth of the head's size.
    const soft = (x: number): number => Math.min(1, Math.max(0, (x - 150) / 6))
    const matte = paintPlane(size, size, soft)
    decideAreas({ region: { x: 0, y: 0, width: size, height: size }, matte }, head.size, [head])
    for (let x = 140; x < 170; x++) expect(at(matte, x, 90)).toBeCloseTo(soft(x), 1)
  })
})
