import definitions from './scene-definitions.json' with { type: 'json' }
import type { Scene } from '../../image-provider.ts'
import type { PlaceLight } from './place-light.ts'

export type ShippedScene = Exclude<Scene, 'own'>

/** All that the compositor knows of a scene besides its files. */
export interface SceneDefinition {
  /** How many files it has, see `sceneFileOf`. */
  views: number
  /** The row of its files' horizon, where it isn't `sceneFile.horizon`: higher, more of the ground is seen. */
  horizonRow?: number
  light: PlaceLight
  /** Whether it has the sun, so that somebody who was photographed in it fits best. */
  isSunny?: boolean
}

/** Every scene that ships. */
export const sceneDefinitions: Record<ShippedScene, SceneDefinition> = definitions
