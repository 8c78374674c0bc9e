import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { buildPyramid, halve } from './pyramid.ts'
import { resizePlane, samplePlane } from './sample-plane.ts'
import { paintPlane, paintRgb } from '../testing/test-images.ts'
import { applySimilarity, invertSimilarity, similarity, warpToFloats } from './warp.ts'
import { warpPhoto } from './warp-photo.ts'

describe('similarities', () => {
  it('bring the named point where it is wanted, and back', () => {
    const map = similarity(1.7, 0.4, { x: 30, y: 50 }, { x: 200, y: 100 })
    const there = applySimilarity(map, { x: 30, y: 50 })
    expect(there.x).toBeCloseTo(200)
    expect(there.y).toBeCloseTo(100)
    const point = { x: -12, y: 77 }
    const back = applySimilarity(invertSimilarity(map), applySimilarity(map, point))
    expect(back.x).toBeCloseTo(point.x)
    expect(back.y).toBeCloseTo(point.y)
  })
})

describe('pyramids', () => {
  it('average each square of four pixels', () => {
    const half = halve(paintRgb(4, 2, (x) => [x * 10, 100, 0]))
    expect([half.width, half.height]).toEqual([2, 1])
    expect(half.data[0]).toBe(5)
    expect(half.data[3]).toBe(25)
  })

  it('end with a level of at most 256 pixels', () => {
    const last = buildPyramid(paintRgb(1000, 700, () => [1, 2, 3])).levels.at(-1)!
    expect(Math.max(last.width, last.height)).toBeLessThanOrEqual(256)
    expect([...last.data.subarray(0, 3)]).toEqual([1, 2, 3])
  })
})

describe('sampling', () => {
  it('keeps a slope a slope when a plane is resized', () => {
    const slope = paintPlane(20, 4, (x) => x)
    const larger = resizePlane(slope, 40, 8)
    expect(larger.data[20]! - larger.data[19]!).toBeCloseTo(0.5)
    expect(samplePlane(slope, 7.5, 2)).toBeCloseTo(7)
  })

  it('gives a network the region that was asked for, in the wanted range', () => {
    const photo = buildPyramid(paintRgb(64, 64, (x) => (x < 32 ? [0, 0, 0] : [255, 255, 255])))
    const map = { a: 1, b: 0, tx: 16, ty: 0 }
    const floats = warpToFloats(photo, map, { width: 32, height: 8, range: [-1, 1] })
    expect(floats[0]).toBe(-1)
    expect(floats.at(-1)).toBe(1)
  })
})

describe('a photo warped into the picture', () => {
  const photo = paintRgb(80, 60, (x, y) => (x >= 40 && y >= 30 ? [250, 120, 10] : [10, 10, 10]))

  it('is scaled and set in place, black outside of the photo', async () => {
    const { image } = await warpPhoto(photo, undefined, { a: 2, b: 0, tx: -20, ty: -10 }, 100, 120)
    expect([...image.data.subarray((80 * 100 + 90) * 3, (80 * 100 + 90) * 3 + 3)]).toEqual([
      250, 120, 10,
    ])
    expect(image.data[(119 * 100 + 50) * 3]).toBe(0)
  })

  it('has the photo’s own pixels where it is only moved, also beyond its borders', async () => {
    const matte = { data: photo.data.filter((_, i) => i % 3 === 0), width: 80, height: 60 }
    const map = { a: 1, b: 0, tx: -30.4, ty: 9.6 }
    const warped = await warpPhoto(photo, matte, map, 70, 50)
    const at = (x: number, y: number) => warped.image.data[(y * 70 + x) * 3]
    expect([at(9, 40), at(10, 40), at(10, 39), at(49, 49), at(50, 49), at(10, 9)]).toEqual([
      10, 250, 10, 250, 0, 0,
    ])
    expect(warped.matte!.data).toEqual(warped.image.data.filter((_, i) => i % 3 === 0))
  })

  it('is enlarged as libvips does it', async () => {
    const noise = paintRgb(80, 60, (x, y) => [(x * 37 + y * 91) % 256, x * 3, y * 4])
    const { image } = await warpPhoto(noise, undefined, { a: 1.25, b: 0, tx: 0, ty: 0 }, 100, 75)
    const raw = { width: 80, height: 60, channels: 3 } as const
    const wanted = await sharp(noise.data, { raw })
      .resize(100, 75, { fit: 'fill' })
      .raw()
      .toBuffer()
    const apart = image.data.map((value, i) => Math.abs(value - wanted[i]!))
    expect(Math.max(...apart)).toBeLessThanOrEqual(1)
  })

  it('turns together with its matte', async () => {
    const matte = {
      data: new Uint8Array(80 * 60).map((_, i) => (i % 80 >= 40 && i >= 80 * 30 ? 255 : 0)),
      width: 80,
      height: 60,
    }
    const map = similarity(1, 0.5, { x: 60, y: 45 }, { x: 50, y: 50 })
    const warped = await warpPhoto(photo, matte, map, 100, 100)
    const middle = 50 * 100 + 50
    expect(warped.matte!.data[middle]).toBe(255)
    expect(warped.image.data[middle * 3]).toBe(250)
  })
})
