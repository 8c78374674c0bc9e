import { describe, expect, it } from 'vitest'
import { mergeCrops } from './merge-crops.ts'
import { boxBlur, gaussianBlur } from '../../image/box-blur.ts'
import { estimateForeground } from './foreground-colour.ts'
import { nearPerson } from './cut-out-person.ts'
import { samplePlane } from '../../image/sample-plane.ts'
import { refineMatte, refineShrink } from './refine-matte.ts'
import { joinCrops } from './join-crops.ts'
import type { SegmentedCrop } from './join-crops.ts'
import { keepConnected, traceSilhouette } from './silhouette.ts'
import { splitNeighbours } from './split-neighbours.ts'
import { paintPolygon } from '../../image/polygon-mask.ts'
import { headAt } from '../../testing/test-heads.ts'
import { createBytePlane } from '../../image/raster.ts'
import { createNoise, paintPlane, paintRgb } from '../../testing/test-images.ts'

describe('blurs', () => {
  it('leave an even plane as it is, up to the rim', () => {
    const even = paintPlane(9, 7, () => 0.25)
    for (const value of boxBlur(even, 3).data) expect(value).toBeCloseTo(0.25)
  })

  it('spread a point by the standard deviation that was asked for', () => {
    const point = paintPlane(81, 81, (x, y) => (x === 40 && y === 40 ? 1 : 0))
    const blurred = gaussianBlur(point, 5)
    let sum = 0
    let squares = 0
    blurred.data.forEach((value, i) => {
      sum += value
      squares += value * ((i % 81) - 40) ** 2
    })
    expect(sum).toBeCloseTo(1, 3)
    expect(Math.sqrt(squares)).toBeGreaterThan(4.5)
    expect(Math.sqrt(squares)).toBeLessThan(5.5)
  })
})

describe('refining a matte', () => {
  it('moves a displaced, soft edge onto the edge of the photo', () => {
    const noise = createNoise(3)
    const photo = paintRgb(240, 240, (x) => {
      const base = x < 120 ? 60 : 190
      return [base + noise() * 6, base + noise() * 6, base + noise() * 6]
    })
    const side = 240 / refineShrink
    // The network saw the edge 5 pixels too far left, 12 pixels wide.
    const coarse = paintPlane(side, side, (x) =>
      Math.min(1, Math.max(0, (x * refineShrink - 115) / 12 + 0.5)),
    )
    const alpha = refineMatte(photo, coarse, 300)
    const row = 120 * 240
    expect(alpha.data[row + 112]).toBeLessThan(40)
    expect(alpha.data[row + 128]).toBeGreaterThan(215)
  })

  it('takes nothing of the same colour that lies beside the person', () => {
    // Dark hair, and a dark letter on the wall beside it.
    const photo = paintRgb(240, 240, (x) => {
      const base = x < 120 || (x >= 132 && x < 138) ? 30 : 200
      return [base, base, base]
    })
    const side = 240 / refineShrink
    const coarse = paintPlane(side, side, (x) => (x * refineShrink < 120 ? 1 : 0))
    const alpha = refineMatte(photo, coarse, 300)
    expect(alpha.data[120 * 240 + 135]).toBe(0)
    expect(alpha.data[120 * 240 + 117]).toBe(255)
  })

  it('follows no faint blocks of a compressed photo', () => {
    // A black jacket before a wall that is hardly lighter, in blocks of 24 pixels.
    const photo = paintRgb(240, 240, (x, y) => {
      const block = (Math.floor(x / 24) + Math.floor(y / 24)) % 2
      const base = (x < 120 ? 10 : 13) + 2 * block
      return [base, base, base]
    })
    const side = 240 / refineShrink
    const coarse = paintPlane(side, side, (x) =>
      Math.min(1, Math.max(0, (120 - x * refineShrink) / 24 + 0.5)),
    )
    const alpha = refineMatte(photo, coarse, 300)
    const column = Array.from({ length: 160 }, (_, n) => alpha.data[(40 + n) * 240 + 120]!)
    expect(Math.max(...column) - Math.min(...column)).toBeLessThan(50)
  })
})

describe('foreground colours', () => {
  it('take the old background out of half-transparent pixels', () => {
    // A red person before a green wall, with a soft edge of 20 pixels.
    const share = (x: number): number => Math.min(1, Math.max(0, (x - 50) / 20))
    const photo = paintRgb(120, 60, (x) => [share(x) * 200, (1 - share(x)) * 200, 0])
    const alpha = {
      data: Uint8Array.from({ length: 120 * 60 }, (_, i) => share(i % 120) * 255),
      width: 120,
      height: 60,
    }
    estimateForeground(photo, alpha, 120)
    const at = (30 * 120 + 58) * 3
    expect(photo.data[at]).toBeGreaterThan(120)
    expect(photo.data[at + 1]).toBeLessThan(70)
    expect(photo.data[(30 * 120 + 10) * 3 + 1]).toBe(200)
  })
})

describe('looks of the network', () => {
  it('are joined so that the closer one counts inside of its region', () => {
    const photo = { width: 100, height: 100 }
    const whole = { region: { x: 0, y: 0, ...photo }, matte: paintPlane(8, 8, () => 0.2) }
    const close = {
      region: { x: 30, y: 30, width: 40, height: 40 },
      matte: paintPlane(8, 8, () => 0.9),
    }
    const map = { xx: 1, xy: 0, x0: 0, yx: 0, yy: 1, y0: 0 }
    const joined = joinCrops([whole, close], photo, map, 100, 100)
    expect(joined.data[50 * 100 + 50]).toBeCloseTo(0.9)
    expect(joined.data[10 * 100 + 10]).toBeCloseTo(0.2)
    expect(joined.data[31 * 100 + 50]).toBeLessThan(0.5)
  })
})

describe('looks that contradict each other', () => {
  const whole = { x: 0, y: 0, width: 200, height: 200 }
  const person = (x: number, y: number): number => (Math.hypot(x - 32, y - 32) < 14 ? 1 : 0)
  const tower = (x: number, y: number): number => (x > 54 ? 1 : person(x, y))
  const looks = (mattes: ((x: number, y: number) => number)[]): SegmentedCrop[] =>
    mattes.map((paint) => ({ region: whole, matte: paintPlane(64, 64, paint) }))

  it('drop what only one of three takes for a person', () => {
    const agreed = mergeCrops(looks([person, person, tower]), 120)
    expect(agreed[2]!.matte.data[32 * 64 + 60]).toBe(0)
    expect(agreed[2]!.matte.data[32 * 64 + 32]).toBe(1)
  })

  it('keep what most of five take for a person, whichever come first', () => {
    const friend = (x: number, y: number): number => (x > 44 ? 1 : person(x, y))
    const agreed = mergeCrops(looks([person, person, friend, friend, friend]), 120)
    expect(agreed.map(({ matte }) => matte.data[32 * 64 + 60])).toEqual([1, 1, 1, 1, 1])
  })

  it('leave little of what one of two takes for a person', () => {
    const agreed = mergeCrops(looks([person, tower]), 120)
    expect(agreed[1]!.matte.data[32 * 64 + 60]).toBeLessThan(0.3)
  })

  it('keep their own edges', () => {
    const wider = (x: number, y: number): number => (Math.hypot(x - 32, y - 32) < 15 ? 1 : 0)
    const agreed = mergeCrops(looks([person, person, wider]), 200)
    expect(agreed[2]!.matte.data[32 * 64 + 32 + 14]).toBeGreaterThan(0.9)
    expect(agreed[0]!.matte.data[32 * 64 + 32 + 14]).toBeLessThan(0.1)
  })
})

describe('one person of several', () => {
  it('ends at a thread that joins it to something else', () => {
    const matte = paintPlane(90, 60, (x, y) => (x < 40 || x > 60 || (y > 28 && y < 31) ? 1 : 0))
    const kept = keepConnected(matte, [{ x: 20, y: 30, size: 30 }])
    expect(kept.data[30 * 90 + 20]).toBe(1)
    expect(kept.data[30 * 90 + 80]).toBe(0)
  })

  it('keeps only what hangs together with the face', () => {
    const matte = paintPlane(60, 40, (x) => (x < 20 || x > 45 ? 1 : 0))
    const kept = keepConnected(matte, [{ x: 10, y: 20, size: 16 }])
    expect(kept.data[20 * 60 + 5]).toBe(1)
    expect(kept.data[20 * 60 + 50]).toBe(0)
  })

  it('keeps nothing beside the person that touches nobody', () => {
    const matte = paintPlane(60, 40, (x) => (x < 30 || x === 32 ? 1 : 0))
    const kept = keepConnected(matte, [{ x: 15, y: 20, size: 24 }])
    expect(kept.data[20 * 60 + 29]).toBe(1)
    expect(kept.data[20 * 60 + 32]).toBe(0)
  })

  it('is found in the lower part of an upright photo', () => {
    const matte = paintPlane(30, 90, (_, y) => (y < 40 || y > 55 ? 1 : 0))
    const kept = keepConnected(matte, [{ x: 15, y: 75, size: 16 }])
    expect(kept.data[70 * 30 + 5]).toBe(1)
    expect(kept.data[20 * 30 + 5]).toBe(0)
  })

  it('ends without stairs where the small matte ends', () => {
    const slanted = paintPlane(40, 40, (x, y) => (x + y / 4 < 25 ? 1 : 0))
    const near = nearPerson(slanted)
    // In a picture eight times as large, from row to row.
    const ends = Array.from({ length: 80 }, (_, n) => {
      const down = 15 + n / 8
      let right = 0
      while (samplePlane(near, right, down) > 0.5) right += 1 / 8
      return right
    })
    const steps = ends.slice(1).map((end, n) => Math.abs(end - ends[n]!))
    expect(Math.max(...steps)).toBeLessThanOrEqual(1 / 8)
    expect(near.data.every((value, i) => slanted.data[i]! <= value)).toBe(true)
  })

  it('gives each body to its own head', () => {
    const matte = paintPlane(100, 100, () => 1)
    const own = headAt(30.5, 30, 20)
    splitNeighbours(matte, { a: 1, b: 0, tx: 0, ty: 0 }, [own], {
      others: [headAt(70.5, 30, 20)],
      ownership: undefined,
    })
    expect(matte.data[80 * 100 + 32]).toBe(1)
    expect(matte.data[80 * 100 + 68]).toBe(0)
    expect(matte.data[80 * 100 + 50]).toBeCloseTo(0.5, 1)
  })

  it('leaves the hair to a head that stands before a body', () => {
    const matte = paintPlane(100, 100, () => 1)
    const own = headAt(50, 70, 20)
    splitNeighbours(matte, { a: 1, b: 0, tx: 0, ty: 0 }, [own], {
      others: [headAt(56, 42, 20)],
      ownership: undefined,
    })
    expect(matte.data[57 * 100 + 50]).toBe(1)
    expect(matte.data[42 * 100 + 56]).toBe(0)
  })

  it('is described by its hair and by where the photo cuts it', () => {
    const head = headAt(100, 80, 40)
    // A head of hair 70 wide, a body down to the lower border.
    const matte = paintPlane(100, 100, (x, y) => {
      const inHair = Math.abs(x * 2 - 100) < 35 && y * 2 > 40 && y * 2 < 110
      const inBody = Math.abs(x * 2 - 100) < 60 && y * 2 >= 110
      return inHair || inBody ? 1 : 0
    })
    const silhouette = traceSilhouette(matte, [head], { width: 200, height: 200 })
    expect(silhouette.top).toBeGreaterThan(36)
    expect(silhouette.top).toBeLessThan(46)
    expect(silhouette.hairLeft).toBeGreaterThan(30)
    expect(silhouette.cuts.every((cut) => cut.y === 200)).toBe(true)
    expect(silhouette.cuts.length).toBeGreaterThan(50)
  })
})

describe('polygons', () => {
  it('are filled inside and nowhere else', () => {
    const mask = createBytePlane(10, 8)
    const corners = [
      { x: 2, y: 2 },
      { x: 8, y: 2 },
      { x: 8, y: 6 },
      { x: 2, y: 6 },
    ]
    paintPolygon(mask, corners, 255)
    expect(mask.data.filter((value) => value === 255)).toHaveLength(24)
    expect(mask.data[3 * 10 + 1]).toBe(0)
  })
})
