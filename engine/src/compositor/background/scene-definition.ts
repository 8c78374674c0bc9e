import type { PlaceLight } from './place-light.ts'
import type { SceneCanvas } from './render/scene-canvas.ts'

/** All that the compositor knows of a scene. */
export interface SceneDefinition {
  light: SceneLight
  /** Words of a prompt that mean it, in the interface's languages, lower case. */
  words: readonly string[]
  draw: (canvas: SceneCanvas) => void
}

/** The light that a scene throws on the people in it, and how the camera sees the scene. */
export interface SceneLight extends PlaceLight {
  /** Whether it has the sun, so that somebody who was photographed in it fits best. */
  isSunny?: boolean
  /** Radius of a far lamp out of focus, in picture heights. */
  farRadius: number
  /** How far the place is turned so that its lit side is seen, in radians; straight on where absent. */
  turn?: readonly [least: number, most: number]
}

/** What scenes by day have in common. */
export const daylight = { stops: 0, cast: 0.1, farRadius: 0.02 }
