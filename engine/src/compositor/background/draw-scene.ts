import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { ColourVectors } from '../../image/colour-vectors.ts'
import { randomFrom } from '../../image/random-from.ts'
import { clamp } from '../../image/raster.ts'
import type { Rect } from '../../image/raster.ts'
import type { Gain } from '../blend/blend.ts'
import { gainOfPlace } from './place-light.ts'
import { sceneDefinitions } from './scene-definitions.ts'
import type { ShippedScene } from './scene-definitions.ts'

/** One of the many ways in which a scene can be seen. */
export interface SceneView {
  scene: ShippedScene
  /** The same seed gives the same scene. */
  seed: number
  /** Where its light comes from: −1 left, 1 right. */
  side: -1 | 1
  /** Height of the horizon, of the picture's height from the top. */
  horizon: number
}

/** A place as a picture, and what it does to the people in it. */
export interface DrawnBackground {
  /** sRGB. */
  colours: ColourVectors
  /** Factors on the people's linear light. */
  gain: Gain
}

/** Every scene's files, `SCENE-1.avif` on: out of focus, lit from the right, alike in horizon. */
export const sceneFile = {
  width: 832,
  height: 712,
  /** Of the row of the horizon. */
  horizon: 312,
  /** As high as a picture is that isn't narrower than 4:5, where the file is wide enough for it. */
  pictureHeight: 640,
} as const
/** How far a picture is moved aside at most, in pixels of the file. */
const panMax = 60

/** The file of a view, from 1. */
export function sceneFileOf(scene: ShippedScene, view: number): string {
  return fileURLToPath(new URL(`../../../scenes/${scene}-${view}.avif`, import.meta.url))
}

/** Draws a part of one of a scene's views, mirrored where the light comes from the left. */
export async function drawScene(
  { scene, seed, side, horizon }: SceneView,
  width: number,
  height: number,
): Promise<DrawnBackground> {
  const random = randomFrom(seed)
  const { views, light, horizonRow = sceneFile.horizon } = sceneDefinitions[scene]
  const view = 1 + Math.floor(random() * views)
  const pan = (2 * random() - 1) * panMax
  const window = windowOf({ width, height }, { horizon, row: horizonRow }, pan)
  const pixels = await sharp(sceneFileOf(scene, view))
    .extract({ left: window.x, top: window.y, width: window.width, height: window.height })
    .flop(side < 0)
    .resize(width, height, { fit: 'fill' })
    .ensureAlpha()
    .raw({ depth: 'float' })
    .toBuffer()
  const data = new Float32Array(pixels.buffer, pixels.byteOffset, pixels.byteLength / 4)
  const colours = { data, width, height }
  return { colours, gain: gainOfPlace(light, colours) }
}

/** The part of a file that fills a picture, in whole pixels. */
function windowOf(
  picture: { width: number; height: number },
  { horizon, row }: { horizon: number; row: number },
  pan: number,
): Rect {
  // In a narrow picture people are smaller, and so is what lies behind them.
  const scale = Math.min(
    sceneFile.pictureHeight / Math.min(picture.height, (picture.width * 5) / 4),
    sceneFile.width / picture.width,
    sceneFile.height / picture.height,
  )
  const width = Math.round(picture.width * scale)
  const height = Math.round(picture.height * scale)
  const x = (sceneFile.width - width) / 2 + pan
  const y = row - horizon * height
  return {
    x: Math.round(clamp(x, 0, sceneFile.width - width)),
    y: Math.round(clamp(y, 0, sceneFile.height - height)),
    width,
    height,
  }
}
