import { paintSky } from '../render/layer.ts'
import type { Radiance } from '../render/layer.ts'
import { fractalNoise } from '../render/noise.ts'
import { between, paintLayer, pick } from '../render/scene-canvas.ts'
import type { SceneCanvas } from '../render/scene-canvas.ts'
import { daylight } from '../scene-definition.ts'
import type { SceneDefinition } from '../scene-definition.ts'

const papers: readonly Radiance[] = [
  [0.2, 0.2, 0.205],
  [0.24, 0.215, 0.19],
  [0.15, 0.175, 0.205],
  [0.17, 0.185, 0.16],
  [0.235, 0.19, 0.175],
  [0.3, 0.295, 0.29],
]

/** A painted canvas backdrop some metres behind, with a lamp on it that is out of the picture. */
export const studio: SceneDefinition = {
  light: {
    ...daylight,
    cast: 0.05,
    farRadius: 0.03,
  },
  words: ['studio', 'portrait backdrop', 'plain background', 'estudio', '影棚', '摄影棚', '纯色'],
  draw: drawStudio,
}

function drawStudio(canvas: SceneCanvas): void {
  const { seed, random, side, camera } = canvas
  const paper = pick(random, papers)
  const middle = { x: side * between(random, 0.02, 0.22), y: between(random, 0.02, 0.16) }
  const reach = between(random, 0.42, 0.6)
  const power = between(random, 1.5, 2.3)
  const aspect = camera.width / camera.height
  paintLayer(canvas, 3, (layer) => {
    paintSky(layer, camera, (x, y, pixel) => {
      const u = x - middle.x
      const v = (y - middle.y) * 0.85
      const away = Math.hypot(u, v) / (reach * Math.max(1, aspect * 1.1))
      const lamp = 1 / (1 + away * away * 1.6) ** 1.5
      const cloth =
        0.84 +
        0.32 * fractalNoise(x * 3.1 + 7, y * 2.7, seed, 4) -
        0.1 * fractalNoise(x * 9, y * 8, seed + 5, 2)
      const light = cloth * (0.2 + power * lamp) * (1 + 0.35 * Math.min(0, y + 0.1))
      // Where the lamp doesn't reach, the room's cooler light is left.
      pixel[0] = paper[0] * light * (0.97 + 0.05 * lamp)
      pixel[1] = paper[1] * light
      pixel[2] = paper[2] * light * (1.05 - 0.06 * lamp)
    })
  })
}
