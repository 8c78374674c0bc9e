import type { ColourPlanes } from '../image/colour-planes.ts'
import { applySimilarity, similarityRotation } from '../image/warp.ts'
import type { CompositorThread } from './compositor-threads.ts'
import { sunAgainstScene } from './harmonise/overhead-light.ts'
import type { SceneLighting } from './harmonise/light-by-scene.ts'
import type { Layout } from './layout/layout.ts'
import { lightOfView, litPerson } from './placed-people.ts'
import type { BackgroundView, PlacedPeople } from './placed-people.ts'
import { planRelight } from './relight/plan-relight.ts'
import type { PlacedLight, RelightPlan } from './relight/plan-relight.ts'
import { lightOfScene, planSceneRelight } from './relight/plan-scene-relight.ts'
import type { BlendPerson, ReadResult } from './thread-messages.ts'

/**
 * Plans how everybody's light moves: towards each other's, or towards the scene's. People who stay
 * together keep the light that they share, and the stars' moves to it.
 * @returns plans in the order of the subjects
 */
export function planLights(
  subjects: readonly ReadResult[],
  layout: Layout,
  view: BackgroundView,
): (RelightPlan | undefined)[] {
  const [user, ...stars] = subjects.map((subject, n): PlacedLight => ({
    person: litPerson(subject),
    rotation: similarityRotation(layout.subjects[n]!.toPicture),
  }))
  const keepsLight = subjects[0]!.heads.length > 1
  const place = lightOfView(view)
  const plan =
    !place || keepsLight
      ? planRelight(user!, stars)
      : planSceneRelight(
          user!,
          stars,
          lightOfScene(place.light, place.side),
          sunAgainstScene(place.light, subjects[0]!.light.overhead),
        )
  return [keepsLight ? undefined : plan.user, ...plan.stars]
}

interface PeopleInScene extends PlacedPeople {
  /** What falls on the people, where a scene or a place was drawn. */
  surroundings: ColourPlanes | undefined
  people: readonly BlendPerson[]
}

/** Lets the light of a scene fall on everybody, shared among the threads. */
export async function lightPeople(
  threads: readonly CompositorThread[],
  { subjects, layout, frames, view, surroundings, people }: PeopleInScene,
  signal: AbortSignal | undefined,
): Promise<void> {
  const place = lightOfView(view)
  if (!place || !surroundings) return
  const { bottomStops, rim } = place.light
  const mattes = subjects.map((_, n) => frames.subjects[n]!.alpha)
  await Promise.all(
    people.map(async ({ light: { gain } }, n) => {
      const chinY = applySimilarity(layout.subjects[n]!.toPicture, subjects[n]!.head.chin).y
      const lighting: SceneLighting = {
        head: { size: layout.headSize, chinY },
        bottomStops,
        // The person's own gain comes afterwards, and lamps know nothing of it.
        rim: [rim / gain[0], rim / gain[1], rim / gain[2]],
        surroundings,
        others: mattes.filter((_, other) => other !== n),
      }
      const thread = threads[n % threads.length]!
      await thread.ask({ kind: 'lightByScene', frame: frames.subjects[n]!, lighting }, signal)
    }),
  )
}
