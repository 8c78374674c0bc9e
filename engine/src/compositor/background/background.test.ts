import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { ColourVectors } from '../../image/colour-vectors.ts'
import { backgroundWindow, removePeople } from './background.ts'
import { pullPush } from '../../image/pull-push.ts'
import { drawScene, sceneFile, sceneFileOf } from './draw-scene.ts'
import type { ShippedScene } from './scene-definitions.ts'
import type { GenerateRequest } from '../../image-provider.ts'
import type { Layout } from '../layout/layout.ts'
import { bestArrangement } from '../variations/best-arrangement.ts'
import { sceneDefinitions } from './scene-definitions.ts'
import { buildPyramid } from '../../image/pyramid.ts'
import { paintPlane, paintRgb } from '../../testing/test-images.ts'

/** One channel's values, of each pixel. */
function channelOf({ data }: ColourVectors, channel: number): Float32Array {
  return data.filter((_, i) => i % 4 === channel)
}

describe('filling a hole', () => {
  it('takes the colours around it and leaves what is known', () => {
    const known = paintPlane(64, 64, (x, y) => (Math.hypot(x - 32, y - 32) < 16 ? 0 : 1))
    const wall = paintPlane(64, 64, (x, y) => (Math.hypot(x - 32, y - 32) < 16 ? 255 : 40 + x))
    const colours = {
      ...wall,
      data: Float32Array.from({ length: 4 * 64 * 64 }, (_, i) => wall.data[i >> 2]!),
    }
    pullPush(colours, known)
    const red = channelOf(colours, 0)
    expect(red[32 * 64 + 32]).toBeGreaterThan(50)
    expect(red[32 * 64 + 32]).toBeLessThan(95)
    expect(red[0]).toBe(40)
  })
})

describe("the user's background", () => {
  it('has nobody in it', () => {
    const photo = buildPyramid(
      paintRgb(300, 300, (x, y) =>
        Math.hypot(x - 150, y - 150) < 60 ? [255, 0, 0] : [20, 90, 160],
      ),
    )
    const people = paintPlane(100, 100, (x, y) => (Math.hypot(x - 50, y - 50) < 20 ? 1 : 0))
    const window = { x: 0, y: 0, width: 300, height: 300 }
    const { colours } = removePeople(photo, people, { window, width: 64, height: 64 })
    expect(Math.max(...channelOf(colours, 0))).toBeLessThan(40)
  })

  it('is enlarged until it reaches above a user who stands lower than in their photo', () => {
    const photo = { width: 1000, height: 1000 }
    const picture = { width: 1000, height: 1250 }
    const userInPhoto = { x: 500, y: 400 }
    for (const y of [500, 650, 800]) {
      const window = backgroundWindow(userInPhoto, { x: 500, y }, 1.25, photo, picture)
      // The user's own place in the photo lies where the user stands.
      const factor = picture.height / window.height
      expect((userInPhoto.y - window.y) * factor).toBeCloseTo(y)
      expect(window.y).toBeGreaterThanOrEqual(-1e-9)
    }
    const low = backgroundWindow(userInPhoto, { x: 500, y: 1200 }, 1.25, photo, picture)
    expect(picture.height / low.height).toBeCloseTo(1.8 * 1.25)
  })

  it('stays where the user stood in it, and always fills the picture', () => {
    const photo = { width: 2000, height: 2000 }
    const picture = { width: 1000, height: 1200 }
    const aligned = backgroundWindow({ x: 1000, y: 900 }, { x: 300, y: 500 }, 1, photo, picture)
    expect(aligned).toEqual({ x: 700, y: 400, width: 1000, height: 1200 })
    const tight = backgroundWindow({ x: 100, y: 100 }, { x: 700, y: 500 }, 0.2, photo, picture)
    expect(tight.x).toBeGreaterThanOrEqual(0)
    expect(tight.x + tight.width).toBeLessThanOrEqual(2000)
    expect(tight.y + tight.height).toBeLessThanOrEqual(2000)
  })
})

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a closed record
const shippedScenes = Object.keys(sceneDefinitions) as ShippedScene[]
const view = { seed: 7, side: 1, horizon: 0.4 } as const

const anyRequest = {
  aspect: '4:5',
  resolution: 'standard',
  userPhoto: { hasMatte: false },
} as GenerateRequest
const nobody = { placements: [], frontToBack: [] } as unknown as Layout

describe('scenes', () => {
  it.each([
    [{ scene: 'own', prompt: 'on the red carpet' }, 'own'],
    [{ prompt: 'on the red carpet' }, 'red-carpet'],
    [{ prompt: 'warm light' }, 'own'],
    [{}, 'own'],
    [{ prompt: 'beach', backgroundPhoto: anyRequest.userPhoto }, 'own'],
  ] as const)('of %j the picture has %s', (wishes, scene) => {
    expect(bestArrangement({ ...anyRequest, ...wishes }, [], nobody).scene).toBe(scene)
  })

  it.each(shippedScenes)('%s is the same for the same seed, and in range', async (scene) => {
    const one = await drawScene({ ...view, scene }, 64, 80)
    const other = await drawScene({ ...view, scene }, 64, 80)
    for (const c of [0, 1, 2]) {
      const data = channelOf(one.colours, c)
      expect(data).toEqual(channelOf(other.colours, c))
      expect(data.every((value) => value >= 0 && value <= 255)).toBe(true)
    }
    expect(one.gain.every((gain) => gain > 0.4 && gain < 1.3)).toBe(true)
  })

  it.each(shippedScenes)('%s is another one for another seed', async (scene) => {
    const one = channelOf((await drawScene({ ...view, scene }, 64, 80)).colours, 1)
    const other = channelOf((await drawScene({ ...view, scene, seed: 8 }, 64, 80)).colours, 1)
    const difference = one.reduce((sum, value, i) => sum + Math.abs(value - other[i]!), 0)
    expect(difference / one.length).toBeGreaterThan(3)
  })

  it.each(shippedScenes)(
    '%s has all its views, each of the size that pictures are cut from',
    async (scene) => {
      for (let n = 1; n <= sceneDefinitions[scene].views; n++) {
        const { width, height } = await sharp(sceneFileOf(scene, n)).metadata()
        expect({ width, height }).toEqual({ width: sceneFile.width, height: sceneFile.height })
      }
    },
  )

  it.each([
    [320, 320],
    [384, 216],
    [216, 384],
  ])('fill a picture of %d × %d, wherever its horizon lies', async (width, height) => {
    for (const horizon of [0.3, 0.55]) {
      const { colours } = await drawScene({ ...view, scene: 'city-day', horizon }, width, height)
      expect(colours).toMatchObject({ width, height })
      expect(colours.data).toHaveLength(width * height * 4)
    }
  })

  it('show the red carpet and its stairs between the heads', async () => {
    const { colours } = await drawScene({ ...view, scene: 'red-carpet', horizon: 0.25 }, 64, 80)
    // The wall of names stands on the right.
    const isRed = (row: number): boolean =>
      Array.from({ length: 30 }, (_, x) => (row * 64 + x) * 4).some(
        (i) => colours.data[i]! > 90 && colours.data[i]! > 4 * colours.data[i + 1]!,
      )
    expect([17, 20, 37].every(isRed)).toBe(true)
    expect([2, 5, 8].some(isRed)).toBe(false)
  })

  it('differ in brightness as day from night', async () => {
    const mean = async (scene: ShippedScene): Promise<number> =>
      channelOf((await drawScene({ ...view, scene }, 64, 80)).colours, 1).reduce(
        (sum, v) => sum + v,
        0,
      ) / 5120
    expect(await mean('meadow')).toBeGreaterThan((await mean('city-night')) + 45)
  })

  it.each([
    ['sun', 'beach-dusk'],
    ['windows', 'home'],
  ] as const)('have their %s on the side that was asked for: %s', async (_light, scene) => {
    const halves: number[] = []
    for (const side of [-1, 1] as const) {
      const { colours } = await drawScene({ ...view, scene, side }, 64, 80)
      const { width } = colours
      halves.push(
        channelOf(colours, 0).reduce(
          (sum, light, i) => sum + (i % width < width / 2 ? -light : light),
          0,
        ),
      )
    }
    expect(halves[0]).toBeLessThan(0)
    expect(halves[1]).toBeGreaterThan(0)
  })
})
