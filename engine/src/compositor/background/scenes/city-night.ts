import { addLamp } from '../render/lamps.ts'
import type { Vector } from '../render/camera.ts'
import { clothColours, hairColours, paintFigure, skinColours } from '../render/figures.ts'
import { addToPixel, paintFloor, paintSideWall, paintSky, setPixel } from '../render/layer.ts'
import type { Layer, Pixel, Radiance } from '../render/layer.ts'
import { fractalNoise, hash } from '../render/noise.ts'
import { between, paintLayer, pick } from '../render/scene-canvas.ts'
import type { SceneCanvas } from '../render/scene-canvas.ts'
import type { SceneDefinition } from '../scene-definition.ts'

const warm: Radiance = [1, 0.62, 0.28]
const white: Radiance = [1, 0.86, 0.66]
const cool: Radiance = [0.62, 0.8, 1]
const shopColours: readonly Radiance[] = [
  white,
  [1, 0.74, 0.42],
  [0.8, 0.92, 1],
  [1, 0.36, 0.42],
  [0.4, 0.75, 1],
  [1, 0.5, 0.18],
]

/** An avenue after rain: houses with lit windows, shops, traffic, street lamps. */
export const cityNight: SceneDefinition = {
  light: {
    stops: -0.6,
    cast: 0.3,
    farRadius: 0.023,
  },
  words: [
    'night',
    'neon',
    'downtown',
    'city lights',
    'times square',
    'noche',
    'neón',
    '夜',
    '霓虹',
  ],
  draw: drawCityNight,
}

function drawCityNight(canvas: SceneCanvas): void {
  const { camera, seed, random, side } = canvas
  paintLayer(canvas, 400, (layer) => {
    paintNightSky(layer, canvas)
    for (const at of [-1, 1] as const) {
      const x = at * between(random, 6, 8)
      const wall = { x, from: 9, to: 240, height: 46 }
      const light = at === side ? 1.25 : 0.8
      paintSideWall(layer, camera, wall, facade(seed + (at === 1 ? 50 : 0), light))
    }
    paintFloor(layer, camera, (s, _t, z, pixel) => {
      const wet = fractalNoise(s * 0.7, z * 0.22, seed + 9, 3)
      const near = Math.exp(-Math.abs(Math.abs(s) - 6.5) * 0.5)
      setPixel(pixel, [0.05, 0.042, 0.04], 0.5 + wet)
      addToPixel(pixel, white, (0.04 + 0.3 * near) * wet * wet)
    })
  })
  addTraffic(canvas)
  addStreetLamps(canvas)
  paintLayer(canvas, 7, (layer) => addPeople(layer, canvas))
}

function paintNightSky(layer: Layer, { camera, seed }: SceneCanvas): void {
  paintSky(layer, camera, (x, y, pixel) => {
    const glow = Math.exp(-Math.max(0, y) * 5)
    const cloud = fractalNoise(x * 3, y * 6, seed, 3)
    setPixel(pixel, [0.01, 0.013, 0.026], 1)
    addToPixel(pixel, [0.16, 0.085, 0.045], glow * (0.5 + cloud * 0.6))
  })
}

/** Houses of some 12 to 22 m, each with its own windows; shops at the street. */
function facade(seed: number, light: number) {
  const housesFrom: number[] = []
  for (let from = 0, n = 0; from < 275; n++) {
    housesFrom.push(from)
    from += 11 + 12 * hash(n, 1, seed)
  }
  return (s: number, t: number, _z: number, pixel: Pixel): void => {
    let house = 0
    while (housesFrom[house + 1]! < s) house++
    const tall = 16 + 28 * hash(house, 2, seed)
    if (t > tall) {
      pixel[3] = 0
      return
    }
    const stone: Radiance = hash(house, 3, seed) < 0.5 ? [0.16, 0.11, 0.08] : [0.1, 0.1, 0.11]
    const stain = 0.6 + 0.7 * fractalNoise(s * 0.5, t * 0.4, seed, 3)
    setPixel(pixel, stone, light * stain * (0.1 + 0.75 * Math.exp(-t / 7)))
    if (t < 4.2) lightShop(pixel, s, t, seed, light)
    else lightWindow(pixel, s, t, { house, seed, light })
  }
}

function lightShop(pixel: Pixel, s: number, t: number, seed: number, light: number): void {
  const width = 5.5
  const shop = Math.floor(s / width)
  const within = s / width - shop
  const colour = shopColours[Math.floor(hash(shop, 5, seed) ** 1.6 * shopColours.length)]!
  const open = hash(shop, 6, seed)
  if (open < 0.22 || within < 0.07 || within > 0.93) return
  if (t > 3.3) {
    const sign = hash(shop, 7, seed) < 0.6 ? 1.6 : 0.2
    const letters = hash(Math.floor(s * 2.6), shop, seed) > 0.3 ? 1 : 0.15
    addToPixel(pixel, pickColour(shop, seed), sign * letters * light)
  } else if (t > 0.5) {
    const goods = 0.25 + 1.1 * fractalNoise(s * 1.4, t * 1.7, seed + 3, 3)
    addToPixel(pixel, colour, (0.5 + 1.6 * open) * goods * (0.5 + 0.3 * t) * light)
  }
}

function pickColour(shop: number, seed: number): Radiance {
  return shopColours[Math.floor(hash(shop, 8, seed) * shopColours.length)]!
}

function lightWindow(
  pixel: Pixel,
  s: number,
  t: number,
  { house, seed, light }: { house: number; seed: number; light: number },
): void {
  const bay = 1.9 + 0.9 * hash(house, 9, seed)
  const floor = 3.1
  const column = Math.floor(s / bay)
  const row = Math.floor(t / floor)
  const u = s / bay - column
  const v = t / floor - row
  if (u < 0.22 || u > 0.78 || v < 0.25 || v > 0.82) return
  setPixel(pixel, [0.03, 0.035, 0.045], 0.6)
  const busy = 0.12 + 0.4 * hash(house, row, seed + 4)
  if (hash(column, row, seed + house) > busy) return
  const power = 0.25 + 2 * hash(column + 7, row, seed) ** 3
  const curtain = 0.55 + 0.6 * fractalNoise(s * 3, t * 0.8, seed, 2)
  const colour = hash(column, row + 3, seed) < 0.72 ? warm : cool
  addToPixel(pixel, colour, power * curtain * (0.6 + 0.5 * v) * light)
}

/** Cars come on one side and leave on the other; the wet street mirrors their lamps. */
function addTraffic({ camera, picture, random, side }: SceneCanvas): void {
  const lampAt = (place: Vector, colour: Radiance, light: number): void => {
    const power = light * Math.min(1, 22 / place[2]) ** 1.3
    const radiance = [colour[0] * power, colour[1] * power, colour[2] * power] as const
    addLamp(picture, camera, place, radiance)
    const mirrored: Vector = [place[0], -2 * camera.aboveFloor - place[1], place[2]]
    addLamp(picture, camera, mirrored, [radiance[0] * 0.1, radiance[1] * 0.1, radiance[2] * 0.1], 4)
  }
  for (let z = between(random, 9, 16); z < 180; z *= between(random, 1.18, 1.5)) {
    const y = 0.68 - camera.aboveFloor
    const coming = side * between(random, -3.6, -1.4)
    for (const x of [coming - 0.65, coming + 0.65]) {
      lampAt([x, y, z], [1, 0.9, 0.76], between(random, 0.7, 2.2))
    }
    const leaving = side * between(random, 1.2, 3.6)
    for (const x of [leaving - 0.62, leaving + 0.62]) {
      lampAt([x, y + 0.15, z * 1.1], [1, 0.07, 0.035], between(random, 0.35, 1.1))
    }
  }
  const signal: Radiance = random() < 0.5 ? [1, 0.1, 0.06] : [0.15, 1, 0.55]
  for (const x of [-4.6, 4.4]) lampAt([x, 3.1, between(random, 24, 40)], signal, 0.9)
}

function addStreetLamps({ camera, picture, random }: SceneCanvas): void {
  const sodium = random() < 0.6
  const colour: Radiance = sodium ? [1, 0.55, 0.2] : [1, 0.85, 0.62]
  for (const x of [-5.2, 5.2]) {
    for (let z = between(random, 13, 22); z < 260; z += between(random, 14, 19)) {
      const light = between(random, 0.9, 2.4) * Math.min(1, 30 / z) ** 1.2
      addLamp(
        picture,
        camera,
        [x, 5.2, z],
        [colour[0] * light, colour[1] * light, colour[2] * light],
      )
    }
  }
  // Far lamps, signs and windows that are mere points.
  for (let n = 0; n < 90; n++) {
    const z = between(random, 16, 60)
    const x = pick(random, [-1, 1]) * between(random, 5, 6.6)
    const y = between(random, -1, 1) ** 2 * 13 - 1
    const light = between(random, 0.08, 1) ** 2
    const hue = pick(random, [warm, warm, white, white, white, cool, [1, 0.14, 0.1]] as const)
    addLamp(picture, camera, [x, y, z], [hue[0] * light, hue[1] * light, hue[2] * light])
  }
}

function addPeople(layer: Layer, { camera, random }: SceneCanvas): void {
  for (const at of [-1, 1]) {
    for (let n = 0; n < 4; n++) {
      const z = between(random, 6, 14)
      const from = random() < 0.5 ? 1 : -1
      paintFigure(
        layer,
        camera,
        {
          x: at * between(random, 2.4, 5.2),
          z,
          tall: between(random, 1.58, 1.86),
          top: pick(random, clothColours),
          legs: pick(random, clothColours.slice(0, 2)),
          skin: pick(random, skinColours),
          hair: pick(random, hairColours),
        },
        (x) => 0.16 + 0.5 * Math.max(0, x * from),
      )
    }
  }
}
