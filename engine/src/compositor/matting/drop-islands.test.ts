import { describe, expect, it } from 'vitest'
import { createBytePlane } from '../../image/raster.ts'
import type { BytePlane } from '../../image/raster.ts'
import { dropIslands } from './drop-islands.ts'

const size = 300
const headSize = 150

/** A body below row 120, and something beside it. */
function paint(alphaAt: (x: number, y: number) => number): BytePlane {
  const matte = createBytePlane(size, size)
  for (let i = 0; i < matte.data.length; i++) {
    const [x, y] = [i % size, Math.floor(i / size)]
    matte.data[i] = y >= 120 ? 255 : alphaAt(x, y)
  }
  return matte
}

function dropped(matte: BytePlane): Uint8Array {
  dropIslands(matte, headSize)
  return matte.data
}

describe('islands of a matte', () => {
  it('are dropped with the haze about them', () => {
    const speck = (x: number, y: number): number => {
      const away = Math.hypot(x - 150, y - 90)
      return away < 6 ? 110 : away < 8 ? 30 : 0
    }
    expect(dropped(paint(speck))).toEqual(paint(() => 0).data)
  })

  it('are dropped though haze joins them to the body', () => {
    const speck = (x: number, y: number): number =>
      Math.hypot(x - 150, y - 90) < 6 ? 110 : x > 146 && x < 154 && y > 90 ? 25 : 0
    expect(dropped(paint(speck))[90 * size + 150]).toBe(0)
  })

  it('stay where a strand joins them to the body', () => {
    const curl = (x: number, y: number): number =>
      Math.hypot(x - 150, y - 90) < 6 || (x === 150 && y > 90) ? 200 : 0
    expect(dropped(paint(curl))).toEqual(paint(curl).data)
  })

  it('stay where they are as large as a hand, whose arm lies outside of the picture', () => {
    const hand = (x: number, y: number): number => (x < 40 && y > 40 && y < 80 ? 255 : 0)
    expect(dropped(paint(hand))).toEqual(paint(hand).data)
  })

  it('leave haze alone that nothing hangs in', () => {
    const haze = (x: number, y: number): number => (Math.hypot(x - 150, y - 90) < 6 ? 40 : 0)
    expect(dropped(paint(haze))).toEqual(paint(haze).data)
  })
})
