import { blurRadius } from './camera.ts'
import type { SceneCamera } from './camera.ts'
import { blurByDisc, layOver } from './defocus.ts'
import { createLayer } from './layer.ts'
import type { Layer } from './layer.ts'

/** Everything that a scene is painted with. */
export interface SceneCanvas {
  camera: SceneCamera
  /** What has been painted so far, from far to near; opaque once the first layer lies in it. */
  picture: Layer
  /** Numbers from 0 up to 1; the same for the same generation. */
  random: () => number
  /** For noise. */
  seed: number
  /** Where the light comes from: −1 left, 1 right. */
  side: -1 | 1
}

/**
 * Paints what stands at about one distance, and puts it out of focus as one; layers come from far to
 * near.
 * @param distance in metres
 */
export function paintLayer(
  { camera, picture }: SceneCanvas,
  distance: number,
  paint: (layer: Layer) => void,
): void {
  const layer = createLayer(camera)
  paint(layer)
  layOver(picture, blurByDisc(layer, blurRadius(camera, distance)))
}

/** A random number in a range. */
export function between(random: () => number, low: number, high: number): number {
  return low + (high - low) * random()
}

/** One of a list. */
export function pick<Value>(random: () => number, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)]!
}
