import { smoothstep } from '../../../image/raster.ts'
import type { Vector } from '../render/camera.ts'
import { clothColours } from '../render/figures.ts'
import { addLamp } from '../render/lamps.ts'
import { addToPixel, paintFloor, paintSky, paintSurface, setPixel } from '../render/layer.ts'
import type { Layer, Pixel, Radiance, Surface } from '../render/layer.ts'
import { fractalNoise, hash } from '../render/noise.ts'
import { between, paintLayer, pick } from '../render/scene-canvas.ts'
import type { SceneCanvas } from '../render/scene-canvas.ts'
import { daylight } from '../scene-definition.ts'
import type { SceneDefinition } from '../scene-definition.ts'

const teams: readonly Radiance[] = [
  [0.4, 0.05, 0.06],
  [0.06, 0.11, 0.34],
  [0.42, 0.36, 0.08],
  [0.42, 0.42, 0.42],
  [0.05, 0.24, 0.12],
]
const boardColours: readonly Radiance[] = [
  [0.8, 0.86, 0.9],
  [0.12, 0.24, 0.55],
  [0.5, 0.16, 0.14],
  [0.12, 0.36, 0.26],
  [0.6, 0.46, 0.2],
]
/** Metres: half the distance of the long stands, and that of the far one. */
const halfWidth = 17
const farEnd = 55

/** A full stadium in the evening, seen from behind a goal towards a corner: stands, floodlights. */
export const stadium: SceneDefinition = {
  light: {
    ...daylight,
    stops: -0.15,
    isSunny: true,
    turn: [0.3, 0.5],
  },
  words: [
    'stadium',
    'football',
    'soccer',
    'match',
    'estadio',
    'fútbol',
    'partido',
    '体育场',
    '足球',
    '球场',
  ],
  draw: drawStadium,
}

function drawStadium(canvas: SceneCanvas): void {
  const { camera, random, seed } = canvas
  const home = pick(random, teams)
  const guests = pick(random, teams)
  const night = random()
  paintLayer(canvas, 90, (layer) => {
    paintSky(layer, camera, (x, y, pixel) => {
      setPixel(pixel, [0.016, 0.024, 0.05], 1 + 2.4 * (1 - night))
      const haze = Math.exp(-Math.max(0, y - 0.2) * 4)
      addToPixel(
        pixel,
        [0.5, 0.52, 0.56],
        0.22 * haze * (0.5 + fractalNoise(x * 2, y * 3, seed, 3)),
      )
    })
    paintFloor(layer, camera, pitch(seed))
    for (const [tier, team] of [home, guests].entries()) {
      paintTier(canvas, layer, tier, team)
    }
    paintBoards(canvas, layer)
  })
  addFloodlights(canvas)
  addPhones(canvas)
}

/** Mown in stripes; under floodlights, grass far away shines more than that underfoot. */
function pitch(seed: number) {
  return (s: number, t: number, z: number, pixel: Pixel): void => {
    const stripe = Math.floor(t / 5.5) % 2 === 0 ? 1 : 0.7
    const grass = 0.7 + 0.6 * fractalNoise(s * 0.7, t * 0.7, seed + 4, 3)
    const shine = 0.75 + 0.5 * smoothstep(2, 25, z)
    setPixel(pixel, [0.105, 0.16, 0.06], stripe * grass * shine)
    const beside = Math.abs(s) > 13 || t < 1.5 || t > 50
    if (beside) setPixel(pixel, [0.11, 0.05, 0.04], grass)
    // Far away a pixel is wider than a line, which would come out dashed.
    const reach = Math.max(0.15, z * z * 0.001)
    const line = Math.min(Math.abs(Math.abs(s) - 12), Math.abs(t - 30), Math.abs(t - 14)) < reach
    if (line && !beside) addToPixel(pixel, [0.4, 0.4, 0.4], 0.12 / reach)
  }
}

/** The three rising planes of one tier, and the dark of the roof or tier above it. */
function paintTier(canvas: SceneCanvas, layer: Layer, tier: number, team: Radiance): void {
  const { camera, seed } = canvas
  const foot = (tier === 0 ? 1.5 : 11.5) - camera.aboveFloor
  const back = tier === 0 ? 0 : 13
  const length = tier === 0 ? 17 : 21
  const slope = tier === 0 ? 0.5 : 0.62
  const out = Math.sqrt(1 - slope * slope)
  const planes: Surface[] = [
    {
      origin: [-160, foot, farEnd + back],
      across: [1, 0, 0],
      up: [0, slope, out],
      width: 320,
      height: length,
    },
    ...([-1, 1] as const).map((at): Surface => ({
      origin: [at * (halfWidth + back), foot, 4],
      across: [0, 0, 1],
      up: [at * out, slope, 0],
      width: farEnd + back - 4,
      height: length,
    })),
  ]
  for (const [n, plane] of planes.entries()) {
    paintSurface(layer, camera, plane, spectators(seed + 10 * n + tier, team, length))
    paintSurface(layer, camera, gapAbove(plane, length, tier), (s, t, _z, pixel) => {
      setPixel(pixel, [0.09, 0.09, 0.1], 0.5 + 0.6 * hash(Math.floor(s / 6), n, seed) * (1 - t / 6))
    })
  }
}

/** The upright wall above the last row. */
function gapAbove({ origin, across, up, width }: Surface, length: number, tier: number): Surface {
  const corner: Vector = [
    origin[0] + up[0] * length,
    origin[1] + up[1] * length,
    origin[2] + up[2] * length,
  ]
  return { origin: corner, across, up: [0, 1, 0], width, height: tier === 0 ? 4.5 : 6 }
}

/** Rows of people, each half a metre wide, in blocks parted by stairs. */
function spectators(seed: number, team: Radiance, length: number) {
  return (s: number, t: number, _z: number, pixel: Pixel): void => {
    const row = Math.floor(t / 0.85)
    const seat = Math.floor(s / 0.55 + (row % 2) * 0.5)
    const shade = smoothstep(length, length * 0.55, t) * 0.5 + 0.5
    const light = shade * (0.42 + 0.9 * fractalNoise(s * 0.09, t * 0.15, seed, 3))
    if (Math.abs((s % 18) - 9) > 8.4) {
      setPixel(pixel, [0.2, 0.2, 0.2], light * 0.8)
      return
    }
    const who = hash(seat, row, seed)
    const inside = t / 0.85 - row
    if (who < 0.07) setPixel(pixel, [0.08, 0.08, 0.1], light)
    else if (inside > 0.66) setPixel(pixel, [0.34, 0.21, 0.15], light * (0.3 + who))
    else {
      const isFan = hash(seat, row, seed + 1) < 0.22
      const cloth = clothColours[Math.floor(hash(row, seat, seed) * clothColours.length)]!
      setPixel(pixel, isFan ? team : cloth, light * (0.4 + 1.2 * hash(seat, row, seed + 2)))
    }
  }
}

/** Boards of light around the pitch and along the upper tier. */
function paintBoards({ camera, seed, random }: SceneCanvas, layer: Layer): void {
  const main = pick(random, boardColours)
  for (const [foot, back, tall, power] of [
    [0.1, -3, 1, 1.25],
    [9.9, 13, 1.1, 0.7],
  ] as const) {
    const y = foot - camera.aboveFloor
    const shade = (s: number, _t: number, _z: number, pixel: Pixel): void => {
      const board = Math.floor(s / 16)
      const colour = hash(board, foot, seed) < 0.6 ? main : boardColours[board % 5]!
      const words = smoothstep(0.5, 0.62, fractalNoise(s * 0.9, board, seed, 2))
      setPixel(pixel, colour, power)
      addToPixel(pixel, [0.7, 0.72, 0.75], power * words)
    }
    const far = { origin: [-160, y, farEnd + back] as const, across: [1, 0, 0] as const }
    const size = { up: [0, 1, 0] as const, width: 320, height: tall }
    paintSurface(layer, camera, { ...far, ...size }, shade)
    for (const at of [-1, 1]) {
      const side = { origin: [at * (halfWidth + back), y, 4] as const, across: [0, 0, 1] as const }
      paintSurface(layer, camera, { ...side, ...size, width: farEnd + back - 4 }, shade)
    }
  }
}

/** Batteries of lamps under the roof's edge, on all sides. */
function addFloodlights({ camera, picture, random }: SceneCanvas): void {
  const battery = (place: (n: number) => Vector): void => {
    const light = between(random, 1.4, 3.2)
    const count = 3 + Math.floor(random() * 3)
    for (let n = 0; n < count; n++) {
      const lamp = light * between(random, 0.7, 1.1)
      addLamp(picture, camera, place(n), [lamp * 0.95, lamp, lamp * 1.06])
    }
  }
  const height = 26.5
  for (let z = between(random, 22, 32); z < 70; z += between(random, 16, 24)) {
    for (const at of [-1, 1]) battery((n) => [at * 31, height, z + n * 3])
  }
  for (let x = between(random, -33, -26); x < 30; x += between(random, 15, 22)) {
    battery((n) => [x + n * 2.7, height, 73])
  }
}

/** Telephones and flashes among the people. */
function addPhones({ camera, picture, random }: SceneCanvas): void {
  for (let n = 0; n < 14; n++) {
    const light = between(random, 0.1, 0.6) ** 2
    const z = between(random, 25, 60)
    const isFar = random() < 0.5
    const x = isFar ? between(random, -20, 20) : pick(random, [-1, 1]) * 22
    addLamp(picture, camera, [x, between(random, 2, 17), isFar ? 62 : z], [light, light, light])
  }
}
