import { describe, expect, it } from 'vitest'
import { mendBorders } from './mend-borders.ts'
import { headAt } from '../../testing/test-heads.ts'
import { paintRgb } from '../../testing/test-images.ts'
import type { Frame } from '../shared-frames.ts'

const inPlace = { a: 1, b: 0, tx: 0, ty: 0 }

/** A frame of 200 by 300 pixels in which these pixels are the person's, of a colour by their row. */
function frameOf(isPerson: (x: number, y: number) => boolean): Frame {
  const image = paintRgb(200, 300, (x, y) => (isPerson(x, y) ? [y / 2, 80, 80] : [0, 0, 0]))
  const data = new Uint8Array(200 * 300)
  for (let y = 0, i = 0; y < 300; y++) {
    for (let x = 0; x < 200; x++, i++) data[i] = isPerson(x, y) ? 255 : 0
  }
  return { image, alpha: { data, width: 200, height: 300 } }
}

function alphaAt({ alpha }: Frame, x: number, y: number): number {
  return alpha.data[y * alpha.width + x]!
}

describe('a shoulder that the photo cuts off', () => {
  // The photo ends at x = 180 of the picture; the shoulder stands from row 150 on.
  const head = headAt(80, 80, 80)
  const photo = { head, heads: [head], width: 180, height: 300 }
  const shoulder = (x: number, y: number): boolean => x < 180 && y >= 150

  it('ends in a round corner and stays what it is elsewhere', () => {
    const frame = frameOf(shoulder)
    mendBorders(frame, photo, inPlace, ['rightShoulder'])
    expect(alphaAt(frame, 175, 155)).toBe(0)
    expect(alphaAt(frame, 170, 155)).toBe(0)
    expect(alphaAt(frame, 170, 290)).toBe(255)
    expect(alphaAt(frame, 140, 152)).toBe(255)
    expect(frame).toMatchObject({ alpha: { width: 200 } })
  })

  it('is rounded beside long hair, which stays whole', () => {
    // Hair hangs before the shoulder, from above the chin at row 120 down, 16 pixels from the side.
    const longHaired = (x: number, y: number): boolean =>
      shoulder(x, y) || (y >= 40 && y < 200 && x > 140 && x < 164)
    const frame = frameOf(longHaired)
    mendBorders(frame, photo, inPlace, ['rightShoulder'])
    for (const y of [110, 118, 122, 130, 150, 170]) expect(alphaAt(frame, 156, y)).toBe(255)
    expect(alphaAt(frame, 178, 152)).toBe(0)
  })

  it('is rounded at the side that shows only', () => {
    const frame = frameOf(shoulder)
    const before = frame.alpha.data.slice()
    mendBorders(frame, photo, inPlace, [])
    expect(frame.alpha.data).toEqual(before)
    mendBorders(frame, photo, inPlace, ['rightShoulder'])
    expect(alphaAt(frame, 2, 152)).toBe(255)
  })
})

describe('hair that the photo cuts off', () => {
  // The photo begins at row 50 of the picture, where the hair is 60 pixels wide.
  const head = headAt(100, 40, 100)
  const toPicture = { a: 1, b: 0, tx: 0, ty: 50 }
  const hair = (x: number, y: number): boolean => y >= 50 && Math.abs(x - 100) < 30

  it('gets the cap of a circle in its own colours', () => {
    const frame = frameOf(hair)
    mendBorders(frame, { head, heads: [head], width: 200, height: 250 }, toPicture, ['cap'])
    expect(alphaAt(frame, 100, 49)).toBe(255)
    expect(alphaAt(frame, 75, 44)).toBe(0)
    expect(alphaAt(frame, 100, 20)).toBe(0)
    const at = (49 * 200 + 100) * 3
    expect(frame.image.data[at]).toBeGreaterThan(20)
  })

  it('goes on upwards instead of being mirrored at the border', () => {
    const long = { ...head, foreheadTop: { x: 100, y: 40 } }
    const frame = frameOf(hair)
    mendBorders(frame, { head: long, heads: [long], width: 200, height: 250 }, toPicture, ['cap'])
    const redAt = (y: number): number => frame.image.data[(y * 200 + 100) * 3]!
    // The hair gets darker upwards, and so does its cap.
    const reds = [80, 70, 60, 54, 50, 46].map(redAt)
    expect(reds).toEqual(reds.toSorted((one, other) => other - one))
    expect(redAt(70) - redAt(46)).toBeGreaterThan(4)
  })

  it('gets a low cap in one piece where it is wide', () => {
    const wide = (x: number, y: number): boolean => y >= 50 && Math.abs(x - 100) < 60
    const frame = frameOf(wide)
    mendBorders(frame, { head, heads: [head], width: 200, height: 250 }, toPicture, ['cap'])
    const column = Array.from({ length: 60 }, (_, y) => alphaAt(frame, 100, y))
    expect(column).toEqual(column.toSorted((one, other) => one - other))
    expect(column[18]).toBe(0)
    expect(column[30]).toBe(255)
  })

  it('gets one cap over a parting', () => {
    const parted = (x: number, y: number): boolean => hair(x, y) && Math.abs(x - 100) > 3
    const frame = frameOf(parted)
    mendBorders(frame, { head, heads: [head], width: 200, height: 250 }, toPicture, ['cap'])
    expect(alphaAt(frame, 90, 49)).toBeGreaterThan(200)
    expect(alphaAt(frame, 110, 49)).toBeGreaterThan(200)
  })

  it('ends unevenly below that circle, the same at every time', () => {
    // The photo's pixels are four times as large in the picture.
    const large = headAt(25, 10, 25)
    const outline = (): number[] => {
      const frame = frameOf(hair)
      const photo = { head: large, heads: [large], width: 50, height: 62 }
      mendBorders(frame, photo, { a: 4, b: 0, tx: 0, ty: 50 }, ['cap'])
      return Array.from({ length: 40 }, (_, n) =>
        Array.from({ length: 50 }, (__, y) => alphaAt(frame, 80 + n, y)).findIndex((a) => a > 0),
      )
    }
    const rows = outline()
    const aboveCircle = rows.filter((row, n) => row < 98 - Math.sqrt(56 ** 2 - (n - 19.5) ** 2))
    expect(aboveCircle).toEqual([])
    expect(rows, 'a circle is symmetric').not.toEqual(rows.toReversed())
    expect(outline()).toEqual(rows)
  })
})
