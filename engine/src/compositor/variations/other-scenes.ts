import type { Scene } from '../../image-provider.ts'
import { sceneNames } from '../../image-provider.ts'
import { drawnScenes } from '../background/drawn-scenes.ts'
import type { DrawnScene } from '../background/drawn-scenes.ts'
import { sunAgainstScene } from '../harmonise/overhead-light.ts'
import { litPerson } from '../placed-people.ts'
import { lightGap } from '../relight/plan-relight.ts'
import { lightOfScene, litSide } from '../relight/plan-scene-relight.ts'
import type { ReadResult } from '../thread-messages.ts'
import type { Candidate } from './list-candidates.ts'

/** What another scene costs, as the place of the own photo is real. */
const drawnSceneCost = 0.25

/**
 * The same ways to stand in other scenes: the own background first, where there is one, then those
 * whose light is nearest to the user's.
 * @param scenesMax how many scenes are offered
 */
export function inOtherScenes(
  candidates: readonly Candidate[],
  { scene, aspect }: { scene: Scene; aspect: string },
  user: ReadResult,
  { hasBackground, scenesMax }: { hasBackground: boolean; scenesMax: number },
): Candidate[] {
  const ranked = fittingScenes(user).filter((name) => name !== scene)
  const others: Scene[] = hasBackground && scene !== 'own' ? ['own', ...ranked] : ranked
  return others.slice(0, scenesMax).flatMap((other, rank) =>
    candidates
      .filter(({ arrangement }) => arrangement.aspect === aspect)
      .map(({ arrangement, cost }) => ({
        arrangement: { ...arrangement, scene: other },
        // Of two scenes that are as different, the one that fits better comes first.
        cost: cost + (other === 'own' ? 0 : drawnSceneCost) + 0.02 * rank,
      })),
  )
}

/** What hard sun on the user costs in a scene without sun, in stops of the gap of both lights. */
const sunCost = 0.5

/** Drawn scenes, the one whose light is most like the user's first. */
function fittingScenes(user: ReadResult): DrawnScene[] {
  const person = litPerson(user)
  const side = litSide(person)
  const gapOf = (scene: DrawnScene): number => {
    const { light } = drawnScenes[scene]
    const gap = lightGap(lightOfScene(light, side), person.faceLight.coefficients)
    return gap + sunCost * sunAgainstScene(light, user.light.overhead)
  }
  return sceneNames
    .filter((name) => name !== 'own')
    .toSorted((one, other) => gapOf(one) - gapOf(other))
}
