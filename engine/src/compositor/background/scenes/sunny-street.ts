import { smoothstep } from '../../../image/raster.ts'
import { clothColours, hairColours, paintFigure, skinColours } from '../render/figures.ts'
import { addLamp } from '../render/lamps.ts'
import {
  addToPixel,
  paintBlob,
  paintFloor,
  paintSideWall,
  paintSky,
  setPixel,
} from '../render/layer.ts'
import type { Layer, Pixel, Radiance } from '../render/layer.ts'
import { fractalNoise, hash } from '../render/noise.ts'
import { between, paintLayer, pick } from '../render/scene-canvas.ts'
import type { SceneCanvas } from '../render/scene-canvas.ts'
import { daylight } from '../scene-definition.ts'
import type { SceneDefinition } from '../scene-definition.ts'

const plasters: readonly Radiance[] = [
  [0.62, 0.48, 0.32],
  [0.58, 0.36, 0.26],
  [0.66, 0.58, 0.46],
  [0.5, 0.44, 0.4],
  [0.6, 0.42, 0.36],
  [0.68, 0.64, 0.56],
]
const awnings: readonly Radiance[] = [
  [0.42, 0.07, 0.06],
  [0.06, 0.2, 0.15],
  [0.6, 0.5, 0.34],
  [0.08, 0.14, 0.26],
]
const sunLight: Radiance = [2.3, 2.05, 1.65]
const shadeLight: Radiance = [0.4, 0.47, 0.6]

/** A street on a summer's day: houses in the sun and in the shade, trees, people, cars. */
export const sunnyStreet: SceneDefinition = {
  light: { ...daylight, stops: 0.1, isSunny: true },
  words: [
    'sunny',
    'street',
    'sunshine',
    'daylight',
    'summer',
    'outdoor',
    'soleado',
    'calle',
    'verano',
    '阳光',
    '街',
    '夏天',
  ],
  draw: drawSunnyStreet,
}

function drawSunnyStreet(canvas: SceneCanvas): void {
  const { camera, seed, random, side } = canvas
  const half = between(random, 5, 7)
  paintLayer(canvas, 300, (layer) => {
    paintSky(layer, camera, (x, y, pixel) => {
      const up = smoothstep(-0.05, 0.6, y)
      const cloud = smoothstep(0.52, 0.78, fractalNoise(x * 2 + 4, y * 3.4, seed, 4))
      setPixel(pixel, [1.5 - 1.05 * up, 1.65 - 0.9 * up, 1.8 - 0.55 * up], 1)
      for (let c = 0; c < 3; c++) pixel[c] = pixel[c]! + (2.3 - pixel[c]!) * cloud * 0.6
    })
    paintFloor(layer, camera, paving(seed, half, side))
    for (const at of [-1, 1] as const) {
      // The sun stands over the houses of its own side, so it lights the other ones.
      const isLit = at !== side
      const wall = { x: at * half, from: 3, to: 150, height: 17 }
      paintSideWall(layer, camera, wall, houses(seed + at, isLit))
    }
  })
  paintLayer(canvas, 12, (layer) => {
    for (const z of [26, 17, 11]) addTrees(layer, canvas, z, half)
    addCars(layer, canvas, half)
    addPeople(layer, canvas, half)
  })
  addSunSpots(canvas, half)
}

function paving(seed: number, half: number, side: number) {
  return (s: number, _t: number, z: number, pixel: Pixel): void => {
    const stone = 0.85 + 0.3 * fractalNoise(s * 1.1, z * 0.8, seed + 2, 4)
    const shadow = smoothstep(
      -0.25,
      0.25,
      side * s - half * 0.1 + 0.8 * (hash(Math.floor(z / 7), 1, seed) - 0.5),
    )
    const leaves = smoothstep(0.45, 0.6, fractalNoise(s * 0.8, z * 0.5, seed + 6, 3))
    const sun = (1 - shadow) * (0.25 + 0.75 * leaves)
    const isRoad = Math.abs(s) < half * 0.5
    const own: Radiance = isRoad ? [0.2, 0.195, 0.19] : [0.36, 0.33, 0.29]
    for (let c = 0; c < 3; c++) {
      pixel[c] = own[c]! * stone * (shadeLight[c]! * 0.9 + sunLight[c]! * sun * 0.8)
    }
  }
}

function houses(seed: number, isLit: boolean) {
  return (s: number, t: number, z: number, pixel: Pixel): void => {
    const house = Math.floor(s / 9 + 0.3 * hash(Math.floor(s / 9), 0, seed))
    const tall = 10 + 7 * hash(house, 1, seed)
    if (t > tall) {
      pixel[3] = 0
      return
    }
    const plaster = plasters[Math.floor(hash(house, 2, seed) * plasters.length)]!
    const stain = 0.86 + 0.28 * fractalNoise(s * 0.8, t * 0.7, seed, 3)
    const cornice = t > tall - 0.5 || Math.abs(t - 3.7) < 0.18 ? 1.12 : 1
    const bounce = 0.7 + 0.4 * Math.exp(-t / 4)
    const light = (c: number): number =>
      shadeLight[c]! * bounce * (isLit ? 0.8 : 1.15) + (isLit ? sunLight[c]! * 0.72 : 0)
    for (let c = 0; c < 3; c++) pixel[c] = plaster[c]! * stain * cornice * light(c)
    if (t < 3.5) paintShop(pixel, s, t, seed, light)
    else paintWindow(pixel, s, t, { house, seed, light })
    // Air between far houses and the camera is bright.
    const haze = 1 - Math.exp(-z / 160)
    for (let c = 0; c < 3; c++) pixel[c] = pixel[c]! + ([1.35, 1.4, 1.5][c]! - pixel[c]!) * haze
  }
}

type Light = (channel: number) => number

function paintShop(pixel: Pixel, s: number, t: number, seed: number, light: Light): void {
  const shop = Math.floor(s / 4.5)
  const u = s / 4.5 - shop
  if (u < 0.1 || u > 0.9 || hash(shop, 3, seed) < 0.15) return
  const awning = awnings[Math.floor(hash(shop, 4, seed) * awnings.length)]!
  if (t > 2.5) {
    const stripe = hash(shop, 5, seed) < 0.4 && Math.floor(s * 3) % 2 === 0
    for (let c = 0; c < 3; c++) pixel[c] = (stripe ? 0.6 : awning[c]!) * light(c)
  } else if (t > 0.4) {
    const goods = fractalNoise(s * 2, t * 2, seed + 7, 3)
    for (let c = 0; c < 3; c++) pixel[c] = [0.2, 0.17, 0.14][c]! * (0.3 + 1.2 * goods)
  }
}

function paintWindow(
  pixel: Pixel,
  s: number,
  t: number,
  { house, seed, light }: { house: number; seed: number; light: Light },
): void {
  const bay = 2 + 0.8 * hash(house, 6, seed)
  const u = s / bay - Math.floor(s / bay)
  const v = (t - 3.7) / 3 - Math.floor((t - 3.7) / 3)
  if (v < 0.2 || v > 0.8) return
  const open = Math.abs(u - 0.5)
  if (open < 0.2) {
    const mirrored = fractalNoise(s * 0.6, t * 0.5, seed + 3, 3)
    setPixel(pixel, [0.3, 0.36, 0.44], 0.15 + 0.9 * mirrored)
  } else if (open < 0.34 && hash(house, 8, seed) < 0.6) {
    const shutter: Radiance = hash(house, 9, seed) < 0.5 ? [0.1, 0.2, 0.16] : [0.3, 0.2, 0.13]
    for (let c = 0; c < 3; c++) pixel[c] = shutter[c]! * light(c)
  }
}

/** Crowns of leaves with the sky between them. */
function addTrees(
  layer: Layer,
  { camera, random, seed, side }: SceneCanvas,
  z: number,
  half: number,
): void {
  for (const at of [-1, 1] as const) {
    if (random() < 0.25) continue
    const x = at * half * between(random, 0.5, 0.7)
    const crown = between(random, 1.6, 2.3)
    const y = between(random, 4, 5) - camera.aboveFloor
    const isLit = at !== side ? 1 : 0.75
    paintBlob(
      layer,
      camera,
      { centre: [x, 0.9 - camera.aboveFloor, z], halfWidth: 0.13, halfHeight: 2.4 },
      (u, _v, pixel) => setPixel(pixel, [0.12, 0.09, 0.07], 0.7 - 0.5 * u * side),
    )
    paintBlob(
      layer,
      camera,
      { centre: [x, y, z], halfWidth: crown, halfHeight: crown * 0.85 },
      (u, v, pixel) => {
        const leaf = fractalNoise(u * 5 + x, v * 5 + z, seed + 11, 4)
        const edge = smoothstep(1, 0.55, Math.hypot(u, v))
        if (leaf * (0.55 + 0.75 * edge) < 0.4) {
          pixel[3] = 0
          return
        }
        const sun = smoothstep(-0.5, 0.7, v + u * side * 0.6 + (leaf - 0.5) * 2.2) * isLit
        setPixel(pixel, [0.1, 0.13, 0.05], 0.4 + 0.3 * leaf)
        addToPixel(pixel, [0.34, 0.38, 0.12], sun * (0.25 + 1.1 * leaf * leaf))
      },
    )
  }
}

function addCars(layer: Layer, { camera, random, side }: SceneCanvas, half: number): void {
  for (const at of [-1, 1]) {
    for (let z = between(random, 8, 13); z < 40; z += between(random, 5.2, 9)) {
      const paint = pick(random, clothColours)
      const x = at * half * 0.52
      const body = {
        centre: [x, 0.62 - camera.aboveFloor, z] as const,
        halfWidth: 0.9,
        halfHeight: 0.42,
      }
      const roof = {
        centre: [x, 1.1 - camera.aboveFloor, z] as const,
        halfWidth: 0.7,
        halfHeight: 0.42,
      }
      paintBlob(layer, camera, roof, (u, v, pixel) => {
        setPixel(pixel, [0.12, 0.15, 0.19], 0.7 + v + 0.3 * u * side)
      })
      paintBlob(layer, camera, body, (u, v, pixel) => {
        setPixel(pixel, paint, 0.7 + 0.9 * Math.max(0, v) + 0.5 * u * side)
        addToPixel(pixel, [0.8, 0.85, 0.95], 0.5 * smoothstep(0.4, 0.9, v))
      })
    }
  }
}

function addPeople(layer: Layer, { camera, random, side }: SceneCanvas, half: number): void {
  for (let n = 0; n < 7; n++) {
    const at = pick(random, [-1, 1])
    const isLit = at !== side
    const figure = {
      x: at * half * between(random, 0.66, 0.94),
      z: between(random, 7, 22),
      tall: between(random, 1.56, 1.86),
      top: pick(random, clothColours),
      legs: pick(random, clothColours),
      skin: pick(random, skinColours),
      hair: pick(random, hairColours),
    }
    paintFigure(layer, camera, figure, (u) => (isLit ? 0.6 + 1.5 * Math.max(0, u * side) : 0.5))
  }
}

/** The sun in leaves, glass and chrome. */
function addSunSpots({ camera, picture, random }: SceneCanvas, half: number): void {
  for (let n = 0; n < 22; n++) {
    const inLeaves = random() < 0.65
    const z = between(random, 9, 26)
    const x = pick(random, [-1, 1]) * half * between(random, 0.35, 0.75)
    const y = inLeaves ? between(random, 1.6, 4.2) : between(random, -1, -0.4)
    const light = between(random, 0.15, 1) ** 1.5
    addLamp(picture, camera, [x, y, z], [light, light * 0.95, light * 0.8])
  }
}
