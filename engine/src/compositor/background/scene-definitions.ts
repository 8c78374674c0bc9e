import definitions from './scene-definitions.json' with { type: 'json' }
import type { Scene } from '../../image-provider.ts'
import type { PlaceLight } from './place-light.ts'

export type ShippedScene = Exclude<Scene, 'own'>

/** All that the compositor knows of a scene besides its files. */
export interface SceneDefinition {
  light: PlaceLight
  /** Whether it has the sun, so that somebody who was photographed in it fits best. */
  isSunny?: boolean
  /** Words of a prompt that mean it, in the interface's languages, lower case. */
  words: readonly string[]
}

/** Every scene that ships. Where the words of a prompt mean several, the first one is meant. */
export const sceneDefinitions: Record<ShippedScene, SceneDefinition> = definitions
