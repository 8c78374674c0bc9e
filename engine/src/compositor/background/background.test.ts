import { describe, expect, it } from 'vitest'
import { backgroundWindow, cleanBackground } from './background.ts'
import { pullPush } from '../../image/pull-push.ts'
import { chooseScene } from './choose-scene.ts'
import { drawScene } from './draw-scene.ts'
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

describe('scenes', () => {
  it.each([
    ['Us on the red carpet, please', 'red-carpet'],
    ['en una noche de concierto', 'city-night'],
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

  it.each(['red-carpet', 'city-night', 'sunny-street', 'studio'] as const)(
    '%s is the same at every run and nowhere out of range',
    (scene) => {
      const one = drawScene(scene, 64, 80)
      const other = drawScene(scene, 64, 80)
      for (const [c, plane] of one.entries()) {
        expect(plane.data).toEqual(other[c]!.data)
        expect(plane.data.every((value) => value >= 0 && value <= 255)).toBe(true)
      }
    },
  )

  it('differ in brightness as day from night', () => {
    const mean = (scene: 'city-night' | 'sunny-street'): number =>
      drawScene(scene, 64, 80)[1].data.reduce((sum, value) => sum + value, 0) / 5120
    expect(mean('sunny-street')).toBeGreaterThan(mean('city-night') + 80)
  })
})
