import type { Scene } from '../../image-provider.ts'
import type { SceneDefinition } from './scene-definition.ts'
import { beachDusk } from './scenes/beach-dusk.ts'
import { cafe } from './scenes/cafe.ts'
import { cityNight } from './scenes/city-night.ts'
import { redCarpet } from './scenes/red-carpet.ts'
import { stadium } from './scenes/stadium.ts'
import { stage } from './scenes/stage.ts'
import { studio } from './scenes/studio.ts'
import { sunnyStreet } from './scenes/sunny-street.ts'

export type DrawnScene = Exclude<Scene, 'own'>

/** Every drawn scene. Where the words of a prompt mean several, the first one is meant. */
export const drawnScenes: Record<DrawnScene, SceneDefinition> = {
  'red-carpet': redCarpet,
  stage,
  stadium,
  'beach-dusk': beachDusk,
  cafe,
  'city-night': cityNight,
  'sunny-street': sunnyStreet,
  studio,
}
