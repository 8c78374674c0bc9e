import type { ColourPlanes } from '../../image/colour-planes.ts'
import { randomFrom } from '../../image/random-from.ts'
import { createCamera } from './render/camera.ts'
import { cropRadiance, develop } from './render/develop.ts'
import { createLayer } from './render/layer.ts'
import { between } from './render/scene-canvas.ts'
import { drawnScenes } from './drawn-scenes.ts'
import type { DrawnScene } from './drawn-scenes.ts'
import type { Gain } from '../blend/blend.ts'
import { gainOfPlace } from './place-light.ts'

/** One of the many ways in which a scene can be seen. */
export interface SceneView {
  scene: DrawnScene
  /** The same seed gives the same scene. */
  seed: number
  /** Where its light comes from: −1 left, 1 right. */
  side: -1 | 1
  /** Height of the horizon, of the picture's height from the top. */
  horizon: number
}

/** A place as a picture, and what it does to the people in it. */
export interface DrawnBackground {
  /** 0…255 sRGB. */
  planes: ColourPlanes
  /** Factors on the people's linear light. */
  gain: Gain
}

/** Draws a scene as a lens with a wide aperture sees it behind people an arm's length away. */
export function drawScene(view: SceneView, width: number, height: number): DrawnBackground {
  const { scene, seed, side, horizon } = view
  const random = randomFrom(seed)
  const { light, draw } = drawnScenes[scene]
  const { farRadius, turn } = light
  const camera = createCamera({
    width,
    height,
    horizon,
    shift: between(random, -0.15, 0.15),
    farRadius,
    turn: turn && -side * between(random, ...turn),
  })
  const canvas = { camera, picture: createLayer(camera), random, seed, side }
  draw(canvas)
  const radiance = cropRadiance(canvas.picture, camera)
  return { planes: develop(radiance), gain: gainOfPlace(light, radiance) }
}
