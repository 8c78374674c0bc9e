import type { ColourPlanes } from '../image/colour-planes.ts'
import { applySimilarity } from '../image/warp.ts'
import type { CutOut } from './blend/blend.ts'
import type { CompositorThread } from './compositor-threads.ts'
import type { SceneLighting } from './harmonise/light-by-scene.ts'
import { lightOfView } from './placed-people.ts'
import type { PlacedPeople } from './placed-people.ts'

interface PeopleInScene extends PlacedPeople {
  /** What falls on the people, where a scene or a place was drawn. */
  surroundings: ColourPlanes | undefined
  people: readonly CutOut[]
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
    people.map(async ({ gain }, n) => {
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
