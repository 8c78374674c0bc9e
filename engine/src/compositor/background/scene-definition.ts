import type { SceneCanvas } from './render/scene-canvas.ts'

/** All that the compositor knows of a scene. */
export interface SceneDefinition {
  light: SceneLight
  /** Words of a prompt that mean it, in the interface's languages, lower case. */
  words: readonly string[]
  draw: (canvas: SceneCanvas) => void
}

/** The light that a scene throws on the people in it, and how the camera sees the scene. */
export interface SceneLight {
  /** Change of both people's exposure, in stops. */
  stops: number
  /** How much darker they get towards the lower edge of the picture, in stops. */
  bottomStops: number
  /** How far hard sun on a face is softened, 0…1: the less sun the place itself has, the more. */
  softensSun: number
  /** How much of the scene's own mean colour the light has, 0…1. */
  cast: number
  /** Where the main light comes from: towards the scene's side, up, to the camera. */
  key: readonly [number, number, number]
  /** How much brighter it makes what faces it than what is turned away, in stops. */
  keyStops: number
  /** Strength of the light that comes from behind and falls on the rims, 0…1. */
  rim: number
  /** Radius of a far lamp out of focus, in picture heights. */
  farRadius: number
  /** How far the place is turned so that its lit side is seen, in radians; straight on where absent. */
  turn?: readonly [least: number, most: number]
}

/** What scenes by day have in common. */
export const daylight = {
  stops: 0,
  bottomStops: 0.2,
  softensSun: 0,
  cast: 0.1,
  rim: 0.25,
  farRadius: 0.02,
}
