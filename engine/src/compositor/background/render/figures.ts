import type { SceneCamera } from './camera.ts'
import { paintBlob } from './layer.ts'
import type { Layer, Pixel, Radiance } from './layer.ts'

/** Somebody far behind, of whom only shape and colours are left out of focus. */
export interface Figure {
  /** Metres right of the camera and away from it. */
  x: number
  z: number
  /** Metres of the soles above the floor. */
  foot?: number
  /** Metres. */
  tall: number
  top: Radiance
  legs: Radiance
  skin: Radiance
  hair: Radiance
}

/** How a figure is lit: factors on its colours at a place −1…1 across and upwards. */
export type FigureLight = (x: number, y: number) => number

/** Paints a standing figure: legs, trunk with shoulders, head with hair. */
export function paintFigure(
  layer: Layer,
  camera: SceneCamera,
  { x, z, foot = 0, tall, top, legs, skin, hair }: Figure,
  light: FigureLight,
): void {
  const floor = foot - camera.aboveFloor
  const part = (
    [offset, up]: readonly [number, number],
    [halfWidth, halfHeight]: readonly [number, number],
    colour: Radiance,
  ): void => {
    const centre = [x + offset * tall, floor + up * tall, z] as const
    const shape = { centre, halfWidth: halfWidth * tall, halfHeight: halfHeight * tall }
    paintBlob(layer, camera, shape, (u, v, pixel: Pixel) => {
      const shine = light(u, v)
      pixel[0] = colour[0] * shine
      pixel[1] = colour[1] * shine
      pixel[2] = colour[2] * shine
    })
  }
  part([-0.05, 0.24], [0.055, 0.26], legs)
  part([0.05, 0.24], [0.055, 0.26], legs)
  part([-0.125, 0.62], [0.035, 0.19], top)
  part([0.125, 0.62], [0.035, 0.19], top)
  part([0, 0.62], [0.105, 0.2], top)
  part([0, 0.76], [0.135, 0.07], top)
  part([0, 0.84], [0.03, 0.04], skin)
  part([0, 0.935], [0.052, 0.07], hair)
  part([0, 0.915], [0.042, 0.055], skin)
}

/** Colours of skin, of hair and of clothes, as albedo. */
export const skinColours: readonly Radiance[] = [
  [0.5, 0.32, 0.24],
  [0.42, 0.25, 0.17],
  [0.28, 0.16, 0.1],
  [0.14, 0.075, 0.05],
]
export const hairColours: readonly Radiance[] = [
  [0.02, 0.015, 0.012],
  [0.05, 0.03, 0.02],
  [0.14, 0.08, 0.04],
  [0.3, 0.22, 0.13],
]
export const clothColours: readonly Radiance[] = [
  [0.03, 0.03, 0.035],
  [0.05, 0.06, 0.1],
  [0.35, 0.33, 0.3],
  [0.3, 0.05, 0.05],
  [0.07, 0.12, 0.2],
  [0.16, 0.13, 0.1],
  [0.45, 0.42, 0.36],
  [0.09, 0.12, 0.08],
]
