import { smoothstep } from '../../../image/raster.ts'
import { addLamp } from '../render/lamps.ts'
import { clothColours, hairColours, paintFigure, skinColours } from '../render/figures.ts'
import { addToPixel, paintFloor, paintSky, setPixel } from '../render/layer.ts'
import type { Layer, Pixel, Radiance } from '../render/layer.ts'
import { fractalNoise, hash } from '../render/noise.ts'
import { between, paintLayer, pick } from '../render/scene-canvas.ts'
import type { SceneCanvas } from '../render/scene-canvas.ts'
import type { SceneDefinition } from '../scene-definition.ts'

/** Where the sun stands, in heights from the vanishing point. */
interface Sun {
  x: number
  y: number
  /** 0 just above the sea, 1 some time after it has set. */
  late: number
}

/** Light about the sun; that of its path on the sea; foam; the sea's own colour, and the sand's. */
const glow: Radiance = [1.5, 0.72, 0.24]
const path: Radiance = [1.6, 0.85, 0.36]
const foamLight: Radiance = [0.6, 0.52, 0.52]
const water: Radiance = [0.03, 0.05, 0.065]
const sand: Radiance = [0.2, 0.145, 0.11]

/** A beach when the sun is about to set: sky, a headland, the sea with its path of light, wet sand. */
export const beachDusk: SceneDefinition = {
  light: {
    stops: -0.3,
    cast: 0.45,
    farRadius: 0.02,
  },
  words: [
    'beach',
    'sunset',
    'dusk',
    'seaside',
    'playa',
    'atardecer',
    'puesta de sol',
    '海滩',
    '日落',
    '黄昏',
    '海边',
  ],
  draw: drawBeachDusk,
}

function drawBeachDusk(canvas: SceneCanvas): void {
  const { camera, random, side, seed } = canvas
  const late = random()
  const sun = { x: side * between(random, 0.2, 0.42), y: 0.05 - 0.07 * late, late }
  const sky = skyLight(sun, seed)
  paintLayer(canvas, 900, (layer) => {
    paintSky(layer, camera, (x, y, pixel) => {
      // The sea lies over the rest.
      if (y > -0.01) sky(x, y, pixel)
    })
    paintHeadland(layer, canvas, sun)
    paintSea(layer, canvas, sun, sky)
  })
  if (late < 0.55) {
    const light = 7 * (1 - late)
    const place = [sun.x * 900, Math.max(0.012, sun.y) * 900, 900] as const
    addLamp(canvas.picture, camera, place, [light, light * 0.62, light * 0.26])
  }
  addFarLamps(canvas)
  paintLayer(canvas, 14, (layer) => addWalkers(layer, canvas, sun))
}

function skyLight({ x: sunX, y: sunY, late }: Sun, seed: number) {
  const low: Radiance = [1.15 - 0.4 * late, 0.5 - 0.18 * late, 0.22 + 0.02 * late]
  const middle: Radiance = [0.56 - 0.22 * late, 0.33 - 0.12 * late, 0.35 - 0.06 * late]
  const high: Radiance = [0.13 - 0.06 * late, 0.19 - 0.08 * late, 0.36 - 0.13 * late]
  return (x: number, y: number, pixel: Pixel): void => {
    const up = Math.max(0, y)
    const toMiddle = smoothstep(0.0, 0.17, up)
    const toHigh = smoothstep(0.1, 0.48, up)
    for (let c = 0; c < 3; c++) {
      const warm = low[c]! + (middle[c]! - low[c]!) * toMiddle
      pixel[c] = warm + (high[c]! - warm) * toHigh
    }
    const away = Math.hypot((x - sunX) * 0.8, y - sunY)
    addToPixel(pixel, glow, 0.9 * (1 - late * 0.6) * Math.exp(-away * 5.5))
    // Clouds lie in streaks and are lit from below; none lie at the horizon.
    if (up <= 0.02) return
    const streak = fractalNoise(x * 1.8 + 3, (y * 9) / (0.4 + up), seed, 4)
    const cloud = smoothstep(0.5, 0.78, streak) * smoothstep(0.02, 0.12, up) * 0.55
    if (cloud === 0) return
    const lit = Math.exp(-away * 2.2)
    const dim = 1 - 0.45 * late
    pixel[0] += ((0.34 + 0.75 * lit) * dim - pixel[0]) * cloud
    pixel[1] += ((0.19 + 0.27 * lit) * dim - pixel[1]) * cloud
    pixel[2] += ((0.26 + 0.05 * lit) * dim - pixel[2]) * cloud
  }
}

function paintHeadland(layer: Layer, { camera, seed, side }: SceneCanvas, { late }: Sun): void {
  paintSky(layer, camera, (x, y, pixel) => {
    const along = -x * side
    const hill = smoothstep(-0.1, 0.7, along) * 0.11 * (0.55 + fractalNoise(x * 4, 1, seed + 20, 4))
    const far = smoothstep(-0.5, 0.2, along) * 0.03 * (0.5 + fractalNoise(x * 6, 4, seed + 30, 3))
    if (y > Math.max(hill, far) || y < -0.002) {
      pixel[3] = 0
      return
    }
    setPixel(pixel, y < hill ? [0.12, 0.085, 0.1] : [0.36, 0.24, 0.25], 1 - 0.4 * late)
  })
}

/** The sea mirrors the sky, broken by waves; nearer lies wet, then dry sand. */
function paintSea(
  layer: Layer,
  { camera, seed }: SceneCanvas,
  sun: Sun,
  sky: (x: number, y: number, pixel: Pixel) => void,
): void {
  const mirrored: Pixel = [0, 0, 0, 1]
  paintFloor(layer, camera, (s, _t, z, pixel) => {
    const x = s / z
    const below = camera.aboveFloor / z
    const wave = fractalNoise(s * 0.35, z * 0.9, seed + 3, 3) - 0.5
    const shore = 7.5 + 2.2 * fractalNoise(s * 0.12, 2, seed + 6, 2) + s * 0.22
    sky(x, 0.02 + below * (1.1 + 2.5 * wave), mirrored)
    const isSea = z > shore
    const gloss = isSea ? 0.62 : 0.42 * smoothstep(shore - 4.5, shore - 0.5, z)
    const own = isSea ? water : sand
    const rough = isSea ? 1 : 0.75 + 0.5 * fractalNoise(s * 2.4, z * 2.4, seed + 8, 3)
    for (let c = 0; c < 3; c++)
      pixel[c] = own[c]! * rough * (1 - 0.45 * sun.late) + mirrored[c]! * gloss
    if (isSea) {
      const onPath = Math.exp(-(((x - sun.x) / (0.05 + below * 0.55)) ** 2))
      const glint = hash(Math.floor(s * 3), Math.floor(z * 2), seed) ** 6
      addToPixel(pixel, path, onPath * (0.35 + 9 * glint) * (1 - 0.85 * sun.late))
      const foam =
        smoothstep(1.1, 0, z - shore) + 0.5 * smoothstep(0.5, 0, Math.abs(z - shore - 4.5))
      addToPixel(pixel, foamLight, foam * 0.5 * (1 - 0.5 * sun.late))
    }
  })
}

/** Houses at the foot of the headland. */
function addFarLamps({ camera, picture, random, side }: SceneCanvas): void {
  const count = 4 + Math.floor(random() * 8)
  for (let n = 0; n < count; n++) {
    const x = -side * between(random, 0.12, 0.6)
    const light = between(random, 0.15, 0.7)
    const place = [x * 500, between(random, 0.004, 0.03) * 500, 500] as const
    addLamp(picture, camera, place, [light, light * 0.66, light * 0.32])
  }
}

function addWalkers(layer: Layer, { camera, random }: SceneCanvas, { x: sunX, late }: Sun): void {
  for (let n = 0; n < 5; n++) {
    const z = between(random, 9, 22)
    paintFigure(
      layer,
      camera,
      {
        x: between(random, -0.5, 0.5) * z,
        z,
        tall: between(random, 1.5, 1.85),
        top: pick(random, clothColours),
        legs: pick(random, clothColours),
        skin: pick(random, skinColours),
        hair: pick(random, hairColours),
      },
      (x) => 0.22 - 0.08 * late + 0.4 * (1 - late) * Math.max(0, x * Math.sign(sunX)) ** 2,
    )
  }
}
