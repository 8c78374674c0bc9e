import { applySimilarity, similarityRotation } from '../image/warp.ts'
import { sceneLights } from './background/scene-lights.ts'
import type { CompositorThread } from './compositor-threads.ts'
import type { SceneLighting } from './harmonise/light-by-scene.ts'
import type { Layout } from './layout/layout.ts'
import { litPerson } from './placed-people.ts'
import type { BackgroundView, ByRole, PlacedPeople } from './placed-people.ts'
import { planRelight } from './relight/plan-relight.ts'
import type { RelightPlan } from './relight/plan-relight.ts'
import { lightOfScene, planSceneRelight } from './relight/plan-scene-relight.ts'
import type { BlendPerson, CutResult, ReadResult } from './thread-messages.ts'

/** Plans how the light on both moves: towards each other's, or towards the scene's. */
export function planLights(
  people: ByRole<ReadResult>,
  layout: Layout,
  view: BackgroundView,
): ByRole<RelightPlan> | undefined {
  const [user, star] = [litPerson(people.user), litPerson(people.star)]
  const rotation = similarityRotation(layout.user)
  if (view === 'own') return planRelight(user, star, rotation, similarityRotation(layout.star))
  const scene = lightOfScene(sceneLights[view.scene], view.side)
  return planSceneRelight({ user, star }, rotation, scene)
}

interface PeopleInScene extends PlacedPeople {
  cut: ByRole<CutResult>
  persons: ByRole<BlendPerson>
}

/** Lets the light of a scene fall on both people, each in a thread of their own. */
export async function lightPeople(
  threads: readonly CompositorThread[],
  { people, layout, frames, view, cut, persons }: PeopleInScene,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { surroundings } = cut.star
  if (view === 'own' || !surroundings) return
  const { bottomStops, rim } = sceneLights[view.scene]
  await Promise.all(
    (['user', 'star'] as const).map(async (role, n) => {
      const { gain } = persons[role].light
      const chinY = applySimilarity(layout[role], people[role].head.chin).y
      const lighting: SceneLighting = {
        head: { size: layout.headSize, chinY },
        bottomStops,
        // The person's own gain comes afterwards, and lamps know nothing of it.
        rim: [rim / gain[0], rim / gain[1], rim / gain[2]],
        surroundings,
        others: [frames[role === 'user' ? 'star' : 'user'].alpha],
      }
      const thread = threads[n % threads.length]!
      await thread.ask({ kind: 'lightByScene', frame: frames[role], lighting }, signal)
    }),
  )
}
