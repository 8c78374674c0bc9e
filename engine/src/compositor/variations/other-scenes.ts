import type { Scene } from '../../image-provider.ts'
import { sceneNames } from '../../image-provider.ts'
import { sceneDefinitions } from '../background/scene-definitions.ts'
import type { ShippedScene } from '../background/scene-definitions.ts'
import { overheadHard } from '../../photo/inspect-photo.ts'
import type { ReadResult } from '../thread-messages.ts'
import type { Candidate } from './list-candidates.ts'

/** What another scene costs, as the place of the own photo is real. */
const otherSceneCost = 0.25

/**
 * The same ways to stand in `scenesMax` scenes at most: the own background, then sunny ones for
 * somebody in hard sun, then the others.
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
        cost: cost + (other === 'own' ? 0 : otherSceneCost) + 0.02 * rank,
      })),
  )
}

/** The scenes that ship in their order, for somebody in hard sun those in the sun first. */
function fittingScenes({ light: { overhead } }: ReadResult): ShippedScene[] {
  const shipped = sceneNames.filter((name) => name !== 'own')
  if (overhead <= overheadHard) return shipped
  const isSunny = (scene: ShippedScene): boolean => sceneDefinitions[scene].isSunny === true
  return [...shipped.filter(isSunny), ...shipped.filter((scene) => !isSunny(scene))]
}
