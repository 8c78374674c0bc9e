import { smoothstep } from '../../../image/raster.ts'
import { addLamp } from '../render/lamps.ts'
import { clothColours, hairColours, paintFigure, skinColours } from '../render/figures.ts'
import {
  addToPixel,
  paintBlob,
  paintFloor,
  paintFrontWall,
  paintSideWall,
  paintSurface,
  setPixel,
} from '../render/layer.ts'
import type { Layer, Pixel, Radiance } from '../render/layer.ts'
import { fractalNoise, hash } from '../render/noise.ts'
import { between, paintLayer, pick } from '../render/scene-canvas.ts'
import type { SceneCanvas } from '../render/scene-canvas.ts'
import type { SceneDefinition } from '../scene-definition.ts'

const walls: readonly Radiance[] = [
  [0.3, 0.17, 0.11],
  [0.36, 0.31, 0.25],
  [0.13, 0.17, 0.16],
  [0.4, 0.36, 0.32],
]
const wood: Radiance = [0.24, 0.13, 0.07]
const warm: Radiance = [1, 0.62, 0.3]
const ceiling = 3.3

/** A café by day: windows to one side, a counter with shelves behind it, hanging lamps, guests. */
export const cafe: SceneDefinition = {
  light: {
    stops: -0.2,
    cast: 0.14,
    farRadius: 0.02,
    turn: [0.18, 0.36],
  },
  words: ['café', 'cafe', 'coffee shop', 'coffee house', 'cafetería', '咖啡'],
  draw: drawCafe,
}

function drawCafe(canvas: SceneCanvas): void {
  const { camera, random, seed, side } = canvas
  const wall = pick(random, walls)
  const depth = between(random, 7, 9)
  const half = between(random, 2.9, 3.6)
  paintLayer(canvas, 6, (layer) => {
    paintRoom(layer, canvas, wall, depth)
    paintSideWall(
      layer,
      camera,
      { x: -side * half, from: 1.2, to: depth, height: ceiling },
      (s, t, z, pixel) => {
        setPixel(pixel, wall, roomLight(t, z) * stain(s, t, seed))
        hangPictures(pixel, s, t, seed)
      },
    )
    const windows = { x: side * half, from: 1.2, to: depth, height: ceiling }
    paintSideWall(layer, camera, windows, (s, t, z, pixel) => {
      setPixel(pixel, wall, 0.75 * roomLight(t, z))
      lightWindow(pixel, s, t, seed)
    })
    paintCounter(layer, canvas, depth)
  })
  addLamps(canvas, depth)
  paintLayer(canvas, 3.6, (layer) => addGuests(layer, canvas, half))
}

function stain(s: number, t: number, seed: number): number {
  return 0.75 + 0.5 * fractalNoise(s * 1.3, t * 1.6, seed + 4, 4)
}

/** Lamps light the upper part, the windows the floor. */
function roomLight(t: number, z: number): number {
  return 0.24 + 0.2 * Math.exp(-(((t - 2.1) / 1.1) ** 2)) + 0.1 * Math.exp(-z / 5)
}

function paintRoom(layer: Layer, canvas: SceneCanvas, wall: Radiance, depth: number): void {
  const { camera, seed, side } = canvas
  const above = {
    origin: [-8, ceiling - camera.aboveFloor, 0],
    across: [1, 0, 0],
    up: [0, 0, 1],
  } as const
  paintSurface(layer, camera, { ...above, width: 16, height: depth }, (s, t, _z, pixel) => {
    const beam = Math.abs((t % 1.5) - 0.75) > 0.63 ? 0.5 : 1
    const day = Math.exp(-Math.abs(s - 8 - side * 3) * 0.5)
    setPixel(pixel, [0.42, 0.36, 0.29], (0.2 + 0.3 * day) * beam)
  })
  paintFloor(layer, camera, (s, t, _z, pixel) => {
    const plank = 0.75 + 0.4 * hash(Math.floor(s / 0.14), Math.floor(t / 1.6), seed)
    const day = Math.exp(-Math.abs(s - side * 2.4) * 0.9)
    setPixel(pixel, wood, plank * (0.3 + 0.6 * day))
    addToPixel(pixel, [0.9, 0.95, 1], 0.16 * day * fractalNoise(s, t * 0.4, seed, 2))
  })
  paintFrontWall(
    layer,
    camera,
    { x: -8, z: depth, width: 16, height: ceiling },
    (s, t, z, pixel) => {
      setPixel(pixel, wall, roomLight(t, z) * stain(s, t, seed))
    },
  )
}

function hangPictures(pixel: Pixel, s: number, t: number, seed: number): void {
  const frame = Math.floor(s / 1.25)
  const u = s / 1.25 - frame
  const low = 1.35 + 0.3 * hash(frame, 1, seed)
  if (u < 0.22 || u > 0.78 || t < low || t > low + 0.75 || hash(frame, 2, seed) < 0.25) return
  const rim = u < 0.26 || u > 0.74 || t < low + 0.05 || t > low + 0.7
  const colour = clothColours[Math.floor(hash(frame, 3, seed) * clothColours.length)]!
  if (rim) setPixel(pixel, [0.05, 0.04, 0.035], 1)
  else setPixel(pixel, colour, 0.35 + 0.7 * fractalNoise(s * 4, t * 4, seed + frame, 2))
}

/** Tall windows with bars; outside there is a street in daylight, much brighter than the room. */
function lightWindow(pixel: Pixel, s: number, t: number, seed: number): void {
  const bay = Math.floor(s / 2.1)
  const u = s / 2.1 - bay
  if (u < 0.1 || u > 0.9 || t < 0.75 || t > 2.95) return
  if (Math.abs(u - 0.5) < 0.018 || Math.abs(t - 2.25) < 0.03) {
    setPixel(pixel, [0.05, 0.045, 0.04], 1)
    return
  }
  const outside = fractalNoise(s * 1.1, t * 1.4, seed + 8, 4)
  const sky = smoothstep(1.5, 2.6, t + 0.8 * (outside - 0.5))
  setPixel(pixel, [0.7 + 0.5 * outside, 0.82 + 0.3 * outside, 0.62 + 0.3 * outside], 0.9 + outside)
  addToPixel(pixel, [2.2, 2.5, 2.9], sky)
}

/** The counter with its cake glass, shelves of bottles and cups, and a board with the menu. */
function paintCounter(
  layer: Layer,
  { camera, seed, random, side }: SceneCanvas,
  depth: number,
): void {
  const x = -side * 1.2 - 2.6
  const back = depth - 0.3
  paintFrontWall(
    layer,
    camera,
    { x, z: back, width: 5.2, height: 1.6, foot: 1.15 },
    (s, t, _z, pixel) => {
      const shelf = Math.floor(t / 0.42)
      const high = t / 0.42 - shelf
      const glow = 0.2 + 0.7 * Math.exp(-high * 1.4)
      setPixel(pixel, [0.3, 0.2, 0.12], 0.35 * glow)
      const thing = Math.floor(s / 0.13)
      const tall = 0.25 + 0.55 * hash(thing, shelf, seed)
      if (high < 0.08) setPixel(pixel, wood, 0.5)
      else if (high < tall && hash(thing, shelf + 9, seed) > 0.24) {
        const colour =
          bottleColours[Math.floor(hash(thing, shelf, seed + 2) * bottleColours.length)]!
        setPixel(pixel, colour, glow * (0.3 + 1.1 * hash(thing, shelf + 5, seed)))
      }
    },
  )
  if (random() < 0.7) {
    const board = { x: x + 1, z: back - 0.1, width: 2.6, height: 0.75, foot: 2.45 }
    paintFrontWall(layer, camera, board, (s, t, _z, pixel) => {
      const words = fractalNoise(s * 7, Math.floor(t / 0.09) * 3, seed, 2) > 0.52 ? 0.4 : 0.04
      setPixel(pixel, [1, 0.96, 0.88], words * ((t / 0.09) % 1 > 0.4 ? 1 : 0.15) + 0.02)
    })
  }
  paintFrontWall(
    layer,
    camera,
    { x, z: depth - 1.6, width: 5.4, height: 1.12 },
    (s, t, _z, pixel) => {
      const board = 0.7 + 0.5 * hash(Math.floor(s / 0.2), 1, seed)
      setPixel(pixel, wood, board * (0.35 + 0.2 * t))
      const isGlass = s > 2 && s < 4.2 && t > 0.62 && t < 1.08
      if (isGlass) setPixel(pixel, warm, 0.1 + 0.7 * fractalNoise(s * 4, t * 9, seed, 3))
      if (t > 1.08) setPixel(pixel, [0.5, 0.46, 0.42], 0.6)
    },
  )
}

const bottleColours: readonly Radiance[] = [
  [0.34, 0.17, 0.07],
  [0.1, 0.15, 0.08],
  [0.42, 0.38, 0.33],
  [0.5, 0.46, 0.4],
  [0.1, 0.08, 0.07],
  [0.36, 0.26, 0.12],
]

/** Bulbs on long cords, in one or two rows that go away from the camera. */
function addLamps({ camera, picture, random }: SceneCanvas, depth: number): void {
  const rows = [between(random, -1.5, -0.7), between(random, 0.6, 1.5)]
  const height = between(random, 2.15, 2.5) - camera.aboveFloor
  for (const x of rows) {
    for (let z = between(random, 2.1, 2.8); z < depth; z += between(random, 0.9, 1.3)) {
      const light = between(random, 1.8, 3.4)
      addLamp(picture, camera, [x, height, z], [light, light * 0.66, light * 0.33])
    }
  }
  for (let n = 0; n < 14; n++) {
    const light = between(random, 0.15, 0.9) ** 1.6
    const place = [between(random, -2.8, 2.2), between(random, -0.4, 0.9), depth - 0.5] as const
    addLamp(picture, camera, place, [light, light * 0.75, light * 0.5])
  }
}

/** Guests at tables, seen to the chest. */
function addGuests(layer: Layer, { camera, random, side }: SceneCanvas, half: number): void {
  for (let n = 0; n < 4; n++) {
    const z = between(random, 3.2, 5.4)
    const x = pick(random, [-1, 1]) * between(random, 0.8, half - 0.5)
    paintFigure(
      layer,
      camera,
      {
        x,
        z,
        foot: -0.42,
        tall: between(random, 1.6, 1.82),
        top: pick(random, clothColours),
        legs: [0.04, 0.035, 0.035],
        skin: pick(random, skinColours),
        hair: pick(random, hairColours),
      },
      (u) => 0.5 + 0.75 * Math.max(0, u * side),
    )
    const [tableX, tableZ] = [x + 0.45, z - 0.3]
    const leg = { centre: [tableX, 0.36 - camera.aboveFloor, tableZ] as const, halfWidth: 0.03 }
    paintBlob(layer, camera, { ...leg, halfHeight: 0.36 }, (_u, _v, pixel) =>
      setPixel(pixel, [0.05, 0.045, 0.04], 1),
    )
    const top = { centre: [tableX, 0.72 - camera.aboveFloor, tableZ] as const, halfWidth: 0.36 }
    paintBlob(layer, camera, { ...top, halfHeight: 0.07 }, (u, _v, pixel) =>
      setPixel(pixel, wood, 0.7 + 0.8 * Math.max(0, u * side)),
    )
  }
}
