import { describe, expect, it } from 'vitest'
import { backgroundWindow, cleanBackground } from './background.ts'
import { pullPush } from '../../image/pull-push.ts'
import { chooseScene } from './choose-scene.ts'
import { blurRadius, createCamera, turnToCamera } from './render/camera.ts'
import { blurByDisc } from './render/defocus.ts'
import { createLayer } from './render/layer.ts'
import { drawScene } from './draw-scene.ts'
import type { DrawnScene } from './drawn-scenes.ts'
import { drawnScenes } from './drawn-scenes.ts'
import { buildPyramid } from '../../image/pyramid.ts'
import { paintPlane, paintRgb } from '../../testing/test-images.ts'

describe('filling a hole', () => {
  it('takes the colours around it and leaves what is known', () => {
    const known = paintPlane(64, 64, (x, y) => (Math.hypot(x - 32, y - 32) < 16 ? 0 : 1))
    const wall = paintPlane(64, 64, (x, y) => (Math.hypot(x - 32, y - 32) < 16 ? 255 : 40 + x))
    const [red] = pullPush([wall, wall, wall], known)
    expect(red.data[32 * 64 + 32]).toBeGreaterThan(50)
    expect(red.data[32 * 64 + 32]).toBeLessThan(95)
    expect(red.data[0]).toBe(40)
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
    const [red] = cleanBackground(photo, people, { window, width: 64, height: 64, sigma: 2 })
    expect(Math.max(...red.data)).toBeLessThan(40)
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
const drawnSceneNames = Object.keys(drawnScenes) as DrawnScene[]
const view = { seed: 7, side: 1, horizon: 0.4 } as const

describe('scenes', () => {
  it.each([
    ['Us on the red carpet, please', 'red-carpet'],
    ['en una noche de concierto', 'stage'],
    ['A coffee shop in Vienna', 'cafe'],
    ['en la playa al atardecer', 'beach-dusk'],
    ['在体育场看足球', 'stadium'],
    ['夜晚的霓虹灯下', 'city-night'],
    ['A sunny street in Lisbon', 'sunny-street'],
    ['photo studio', 'studio'],
    ['with a nightingale', 'own'],
    [undefined, 'own'],
  ] as const)('are read from the words %j as %s', (prompt, scene) => {
    expect(chooseScene(undefined, prompt)).toBe(scene)
  })

  it('are taken from the request before the words', () => {
    expect(chooseScene('own', 'red carpet')).toBe('own')
  })

  it.each(drawnSceneNames)('%s is the same for the same seed, and in range', (scene) => {
    const one = drawScene({ ...view, scene }, 64, 80)
    const other = drawScene({ ...view, scene }, 64, 80)
    for (const [c, { data }] of one.planes.entries()) {
      expect(data).toEqual(other.planes[c]!.data)
      expect(data.every((value) => value >= 0 && value <= 255)).toBe(true)
    }
    expect(one.gain.every((gain) => gain > 0.4 && gain < 1.3)).toBe(true)
  })

  it.each(drawnSceneNames)('%s is another one for another seed', (scene) => {
    const one = drawScene({ ...view, scene }, 64, 80).planes[1].data
    const other = drawScene({ ...view, scene, seed: 8 }, 64, 80).planes[1].data
    const difference = one.reduce((sum, value, i) => sum + Math.abs(value - other[i]!), 0)
    expect(difference / one.length).toBeGreaterThan(3)
  })

  it('differ in brightness as day from night', () => {
    const mean = (scene: DrawnScene): number =>
      drawScene({ ...view, scene }, 64, 80).planes[1].data.reduce((sum, v) => sum + v, 0) / 5120
    expect(mean('sunny-street')).toBeGreaterThan(mean('city-night') + 45)
  })

  it('show a far point as an even disc of its own light, and nothing beyond', () => {
    const layer = createLayer({ width: 41, height: 41 })
    layer.data.fill(100, (20 * 41 + 20) * 4, (20 * 41 + 21) * 4)
    const { data } = blurByDisc(layer, 8)
    const at = (x: number, y: number): number => data[(y * 41 + x) * 4]!
    expect(at(20, 20)).toBeCloseTo(at(25, 24))
    expect(at(20, 20)).toBeCloseTo(100 / (Math.PI * 64), 1)
    expect(at(20, 29)).toBe(0)
    expect(data.reduce((sum, value) => sum + value, 0)).toBeCloseTo(400)
  })

  it('have larger discs the farther a lamp is, up to the lens’s limit', () => {
    const options = { width: 256, height: 320, horizon: 0.4, shift: 0, farRadius: 0.02 }
    const camera = createCamera(options)
    expect(blurRadius(camera, 0.8)).toBe(0)
    expect(blurRadius(camera, 3)).toBeLessThan(blurRadius(camera, 30))
    expect(blurRadius(camera, 1e6)).toBeCloseTo(0.02 * 320)
  })

  it('are turned about the camera, so that a corner is seen and not a wall straight on', () => {
    const options = { width: 64, height: 80, horizon: 0.4, shift: 0, farRadius: 0 }
    const ahead = turnToCamera(createCamera({ ...options, turn: Math.PI / 6 }), [0, 1, 10])
    expect(ahead.map((metres) => Number(metres.toFixed(2)))).toEqual([5, 1, 8.66])
    expect(turnToCamera(createCamera(options), [3, 1, 10])).toEqual([3, 1, 10])
  })

  it.each([
    ['sun', 'beach-dusk'],
    ['windows', 'cafe'],
  ] as const)('have their %s on the side that was asked for: %s', (_light, scene) => {
    const halves = ([-1, 1] as const).map((side) => {
      const { data, width } = drawScene({ ...view, scene, side }, 64, 80).planes[0]
      return data.reduce((sum, light, i) => sum + (i % width < width / 2 ? -light : light), 0)
    })
    expect(halves[0]).toBeLessThan(0)
    expect(halves[1]).toBeGreaterThan(0)
  })
})
