import { smoothstep } from '../../../image/raster.ts'
import { clothColours, hairColours, paintFigure, skinColours } from '../render/figures.ts'
import { addLamp } from '../render/lamps.ts'
import {
  addToPixel,
  paintFloor,
  paintFrontWall,
  paintSideWall,
  paintSky,
  setPixel,
} from '../render/layer.ts'
import type { Layer, Pixel, Radiance } from '../render/layer.ts'
import { fractalNoise, hash } from '../render/noise.ts'
import { between, paintLayer, pick } from '../render/scene-canvas.ts'
import type { SceneCanvas } from '../render/scene-canvas.ts'
import type { SceneDefinition } from '../scene-definition.ts'

/** Colour of the wall of names, and of the names on it. */
const walls: readonly (readonly [Radiance, Radiance])[] = [
  [
    [0.62, 0.6, 0.57],
    [0.16, 0.1, 0.09],
  ],
  [
    [0.035, 0.033, 0.036],
    [0.6, 0.5, 0.32],
  ],
  [
    [0.2, 0.025, 0.035],
    [0.62, 0.52, 0.38],
  ],
  [
    [0.05, 0.07, 0.13],
    [0.56, 0.56, 0.6],
  ],
]
const carpet: Radiance = [0.17, 0.014, 0.018]
const warm: Radiance = [1, 0.7, 0.4]

/** The evening of a premiere: a carpet to a lit house, the wall of names, guests and photographers. */
export const redCarpet: SceneDefinition = {
  light: {
    stops: -0.1,
    cast: 0.14,
    farRadius: 0.02,
  },
  words: [
    'red carpet',
    'premiere',
    'award',
    'oscar',
    'gala',
    'paparazzi',
    'alfombra roja',
    'estreno',
    'premios',
    '红毯',
    '首映',
    '颁奖',
  ],
  draw: drawRedCarpet,
}

function drawRedCarpet(canvas: SceneCanvas): void {
  const { camera, random, seed, side } = canvas
  const [board, names] = pick(random, walls)
  const end = between(random, 17, 24)
  const dusk = random()
  paintLayer(canvas, 24, (layer) => {
    paintSky(layer, camera, (x, y, pixel) => {
      // The carpet and the house lie over the rest.
      if (y < 0) return
      setPixel(pixel, [0.02, 0.028, 0.06], 1 + 2.5 * dusk)
      addToPixel(
        pixel,
        [0.3, 0.18, 0.12],
        0.25 * Math.exp(-y * 4) * (0.4 + fractalNoise(x * 3, y * 4, seed, 3)),
      )
    })
    paintFloor(layer, camera, (s, _t, z, pixel) => {
      const pile = 0.8 + 0.4 * fractalNoise(s * 1.7, z * 1.1, seed + 2, 3)
      const lit = 0.35 + 0.5 * Math.exp(-(((z - 7) / 6) ** 2))
      setPixel(pixel, Math.abs(s) < 2.6 ? carpet : [0.05, 0.048, 0.047], pile * lit * 1.5)
    })
    paintHouse(layer, canvas, end)
  })
  addHouseLamps(canvas, end)
  paintLayer(canvas, 7, (layer) => {
    const wall = { x: side * between(random, 2.5, 3), from: 1.5, to: 11, height: 3 }
    paintSideWall(layer, camera, wall, nameWall(seed, board, names))
    addGuests(layer, canvas)
    addPhotographers(layer, canvas)
  })
  addFlashes(canvas)
}

/** The theatre's front: columns, doors full of light, a canopy. */
function paintHouse(layer: Layer, { camera, seed }: SceneCanvas, end: number): void {
  paintFrontWall(layer, camera, { x: -16, z: end, width: 32, height: 15 }, (s, t, _z, pixel) => {
    const column = Math.abs((s % 3.6) - 1.8) < 0.42
    const up = Math.exp(-t / 5)
    const stain = 0.75 + 0.5 * fractalNoise(s * 0.8, t * 0.6, seed + 3, 3)
    setPixel(pixel, [0.5, 0.36, 0.22], stain * (0.05 + 0.34 * up) * (column ? 1.35 : 0.7))
    const isDoor = !column && t < 4.2
    if (isDoor) setPixel(pixel, warm, 0.15 + 0.95 * fractalNoise(s * 1.1, t * 0.9, seed + 5, 3))
    const isWindow = !column && t > 6.2 && t < 8.6
    if (isWindow) setPixel(pixel, warm, 0.15 + 0.9 * hash(Math.floor(s / 3.6), 4, seed) ** 2)
    if (t > 4.2 && t < 5.3) {
      const letters = hash(Math.floor(s * 1.6), 3, seed) > 0.35 ? 1 : 0.3
      setPixel(pixel, [1, 0.8, 0.55], letters)
    }
  })
}

/** Names in rows, each second row moved by half; lamps above it light its upper part. */
function nameWall(seed: number, board: Radiance, names: Radiance) {
  return (s: number, t: number, _z: number, pixel: Pixel): void => {
    const row = Math.floor(t / 0.5)
    const u = (s / 1.1 + (row % 2) * 0.5) % 1
    const name = Math.floor(s / 1.1 + (row % 2) * 0.5) % 3
    const v = t / 0.5 - row
    const spot = 0.75 + 0.4 * Math.cos(((s % 2.4) / 2.4) * Math.PI * 2)
    const light = (0.35 + 0.75 * smoothstep(0, 3, t)) * spot
    setPixel(pixel, board, light)
    const reach = [0.34, 0.26, 0.3][name]!
    const inside = Math.abs(u - 0.5) < reach && Math.abs(v - 0.5) < [0.16, 0.26, 0.12][name]!
    const stroke = fractalNoise(s * 12, t * 5, seed + name, 2)
    if (inside && stroke > 0.42) setPixel(pixel, names, light)
  }
}

function addHouseLamps({ camera, picture, random }: SceneCanvas, end: number): void {
  // Bulbs along the canopy.
  for (let x = -11; x < 11; x += between(random, 0.75, 1.05)) {
    const light = between(random, 0.7, 1.9)
    addLamp(picture, camera, [x, 4, end - 0.3], [light, light * 0.72, light * 0.4])
  }
  for (let n = 0; n < 16; n++) {
    const light = between(random, 0.4, 2)
    const place = [between(random, -9, 9), between(random, 4.5, 9), end + 4] as const
    addLamp(picture, camera, place, [light, light * 0.82, light * 0.58])
  }
}

function addGuests(layer: Layer, { camera, random }: SceneCanvas): void {
  const gowns: readonly Radiance[] = [
    [0.02, 0.02, 0.024],
    [0.02, 0.02, 0.024],
    [0.3, 0.03, 0.05],
    [0.4, 0.34, 0.2],
    [0.05, 0.12, 0.13],
    [0.5, 0.48, 0.46],
  ]
  const places = Array.from({ length: 9 }, () => between(random, 7, 16)).toSorted((a, b) => b - a)
  for (const z of places) {
    const gown = pick(random, gowns)
    paintFigure(
      layer,
      camera,
      {
        x: between(random, -2.3, 2.3) * (0.5 + z / 20),
        z,
        tall: between(random, 1.62, 1.9),
        top: gown,
        legs: gown,
        skin: pick(random, skinColours),
        hair: pick(random, hairColours),
      },
      (_u, v) => 0.75 + 0.3 * v,
    )
  }
}

/** Two rows of them behind the barrier, on the side without the wall. */
function addPhotographers(layer: Layer, { camera, random, side }: SceneCanvas): void {
  for (let z = 14; z > 3.4; z -= between(random, 0.35, 0.8)) {
    paintFigure(
      layer,
      camera,
      {
        x: -side * between(random, 2.7, 4.1),
        z,
        foot: between(random, 0, 0.35),
        tall: between(random, 1.65, 1.9),
        top: pick(random, clothColours.slice(0, 2)),
        legs: [0.02, 0.02, 0.02],
        skin: pick(random, skinColours),
        hair: pick(random, hairColours),
      },
      (u) => 0.35 + 0.5 * Math.max(0, u * side),
    )
  }
}

/** Flashes of those photographers, and lamps on stands. */
function addFlashes({ camera, picture, random, side }: SceneCanvas): void {
  for (let n = 0; n < 12; n++) {
    const z = between(random, 4, 14)
    const light = between(random, 0.3, 3.4)
    const place = [-side * between(random, 2.4, 4), between(random, -0.1, 0.45), z] as const
    addLamp(picture, camera, place, [light * 0.96, light * 0.98, light])
  }
  for (let z = between(random, 4, 6); z < 15; z += between(random, 2.2, 3.4)) {
    const light = between(random, 1.5, 3.5)
    addLamp(picture, camera, [-side * 4.4, 2.1, z], [light, light * 0.93, light * 0.82])
    addLamp(picture, camera, [side * 2.7, 1.75, z], [light * 0.8, light * 0.68, light * 0.5])
  }
}
