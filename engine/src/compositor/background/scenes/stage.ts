import { mapTriple } from '../../../image/map-triple.ts'
import { smoothstep } from '../../../image/raster.ts'
import { addLamp } from '../render/lamps.ts'
import { paintFigure } from '../render/figures.ts'
import { addToPixel, paintBlob, paintFrontWall, paintSky, setPixel } from '../render/layer.ts'
import type { Layer, Radiance } from '../render/layer.ts'
import { fractalNoise, hash } from '../render/noise.ts'
import { between, paintLayer, pick } from '../render/scene-canvas.ts'
import type { SceneCanvas } from '../render/scene-canvas.ts'
import type { SceneDefinition } from '../scene-definition.ts'

/** Two colours of light that go together. */
const moods: readonly (readonly [Radiance, Radiance])[] = [
  [
    [0.75, 0.12, 1],
    [0.12, 0.32, 1],
  ],
  [
    [1, 0.16, 0.42],
    [0.35, 0.16, 1],
  ],
  [
    [1, 0.42, 0.1],
    [0.9, 0.12, 0.3],
  ],
  [
    [0.1, 0.62, 1],
    [0.1, 0.95, 0.7],
  ],
]

/** A lamp of the rig, and its beam through the haze. */
interface Spot {
  x: number
  y: number
  /** Slope of the beam, and how fast it widens. */
  lean: number
  spread: number
  colour: Radiance
  power: number
}

/** A concert behind them: a stage in coloured haze, beams from the rig, heads and hands before it. */
export const stage: SceneDefinition = {
  light: {
    stops: -0.5,
    cast: 0.25,
    farRadius: 0.022,
  },
  words: [
    'concert',
    'stage',
    'festival',
    'club',
    'concierto',
    'escenario',
    '演唱会',
    '舞台',
    '音乐会',
  ],
  draw: drawStage,
}

function drawStage(canvas: SceneCanvas): void {
  const { camera, random, seed } = canvas
  const [main, second] = pick(random, moods)
  const spots = hangSpots(canvas, main, second)
  paintLayer(canvas, 26, (layer) => {
    paintSky(layer, camera, (x, y, pixel) => {
      const haze = 0.35 + 0.9 * fractalNoise(x * 2.2 + 5, y * 2.6, seed, 4)
      const low = Math.exp(-(((y - 0.05) / (y < 0 ? 0.12 : 0.3)) ** 2))
      const share = smoothstep(-0.5, 0.5, x + 0.4 * (fractalNoise(x * 1.4, y, seed + 2, 2) - 0.5))
      setPixel(pixel, main, (0.02 + 0.24 * low) * haze * (1 - share))
      addToPixel(pixel, second, (0.02 + 0.24 * low) * haze * share)
      for (const spot of spots) {
        const down = spot.y - y
        if (down <= 0 || y < -0.12) continue
        const width = 0.012 + spot.spread * down
        const off = (x - spot.x - spot.lean * down) / width
        const beam = Math.exp(-off * off * 1.6) * Math.exp(-down * 2.1) * (0.014 / (width + 0.016))
        addToPixel(pixel, spot.colour, spot.power * beam * (0.6 + 0.6 * haze))
      }
    })
    paintScreen(layer, canvas, main, second)
    paintBand(layer, canvas)
  })
  for (const { x, y, colour, power } of spots) {
    const whiter = mapTriple(colour, (value) => value * 0.55 + 0.45)
    const light = power * 1.5
    const place = [x * 24, y * 24, 24] as const
    addLamp(canvas.picture, camera, place, [
      whiter[0] * light,
      whiter[1] * light,
      whiter[2] * light,
    ])
  }
  addSmallLamps(canvas, main)
  paintLayer(canvas, 6, (layer) => addAudience(layer, canvas, second))
}

function hangSpots({ random }: SceneCanvas, main: Radiance, second: Radiance): Spot[] {
  const spots: Spot[] = []
  for (const y of [between(random, 0.3, 0.36), between(random, 0.4, 0.5)]) {
    for (let x = between(random, -0.85, -0.7); x < 0.85; x += between(random, 0.13, 0.24)) {
      spots.push({
        x,
        y: y + between(random, -0.012, 0.012),
        lean: -x * between(random, 0.2, 0.9) + between(random, -0.3, 0.3),
        spread: between(random, 0.05, 0.14),
        colour: random() < 0.18 ? [1, 0.86, 0.66] : random() < 0.6 ? main : second,
        power: between(random, 0.5, 1.9),
      })
    }
  }
  return spots
}

/** The wall of light behind the band. */
function paintScreen(
  layer: Layer,
  { camera, seed, random }: SceneCanvas,
  main: Radiance,
  second: Radiance,
): void {
  const width = between(random, 9, 13)
  const x = between(random, -8, -4)
  paintFrontWall(layer, camera, { x, z: 27, width, height: 5.2, foot: 2.4 }, (s, t, _z, pixel) => {
    const wave = fractalNoise(s * 0.45 + 2, t * 0.6, seed + 12, 3)
    const edge = smoothstep(0, 0.6, s) * smoothstep(0, 0.6, width - s) * smoothstep(5.2, 4.6, t)
    setPixel(pixel, main, 0.25 + 0.7 * wave)
    addToPixel(pixel, second, 0.8 * (1 - wave))
    addToPixel(pixel, [1, 0.95, 0.9], 0.9 * smoothstep(0.55, 0.8, wave))
    pixel[3] = 0.85 * edge
  })
}

function paintBand(layer: Layer, { camera, random }: SceneCanvas): void {
  for (let n = 0; n < 4; n++) {
    const dark: Radiance = [0.02, 0.018, 0.024]
    const x = between(random, -6, 6)
    const figure = { x, z: 24, foot: 1.5, tall: 1.8, top: dark, legs: dark, skin: dark, hair: dark }
    paintFigure(layer, camera, figure, () => 1)
  }
  paintFrontWall(layer, camera, { x: -20, z: 23, width: 40, height: 1.5 }, (s, t, _z, pixel) => {
    setPixel(pixel, [0.015, 0.015, 0.02], 1 + t * hash(Math.floor(s), 1, 7))
  })
}

/** Lamps of amplifiers, telephones held up, a string along the stage. */
function addSmallLamps({ camera, picture, random }: SceneCanvas, main: Radiance): void {
  for (let n = 0; n < 30; n++) {
    const light = between(random, 0.12, 1) ** 2
    const isPhone = random() < 0.55
    const colour: Radiance = isPhone ? [0.9, 0.95, 1] : main
    const z = isPhone ? between(random, 6, 18) : 24
    const y = isPhone ? between(random, 0.15, 0.5) : between(random, 0, 2)
    const place = [between(random, -0.5, 0.5) * z, y, z] as const
    addLamp(picture, camera, place, [colour[0] * light, colour[1] * light, colour[2] * light])
  }
}

/** Heads, shoulders and raised arms of those who stand nearer, dark before the light. */
function addAudience(layer: Layer, { camera, random }: SceneCanvas, rim: Radiance): void {
  for (const z of [13, 10, 7.5, 5.5]) {
    for (let x = between(random, -0.6, -0.5) * z; x < 0.55 * z; x += between(random, 0.5, 0.95)) {
      const tall = between(random, 1.5, 1.84)
      const dark = between(random, 0.008, 0.02)
      const tone: Radiance = [dark + rim[0] * 0.012, dark + rim[1] * 0.012, dark + rim[2] * 0.015]
      const colours = { top: tone, legs: tone, skin: tone, hair: tone }
      paintFigure(layer, camera, { x, z, tall, ...colours }, (_u, v) => 1 + Math.max(0, v) * 2)
      if (random() > 0.16) continue
      const centre = [x + 0.24, tall + 0.1 - camera.aboveFloor, z] as const
      paintBlob(layer, camera, { centre, halfWidth: 0.06, halfHeight: 0.34 }, (_u, _v, pixel) =>
        setPixel(pixel, tone, 1.3),
      )
    }
  }
}
