import { blurColours } from '../image/box-blur.ts'
import { collectGarbage } from '../collect-garbage.ts'
import type { NormalisedPhoto } from '../image-provider.ts'
import { releaseMemory } from '../release-memory.ts'
import { readBackgroundPhoto } from './background/background-photo.ts'
import { drawScene } from './background/draw-scene.ts'
import { blendRows } from './blend/blend.ts'
import type { Gain } from './blend/blend.ts'
import { layOver } from './blend/lay-over.ts'
import { cropFaces, inspectFaces } from './inspect-faces.ts'
import { seeBackground } from './layers/empty-background.ts'
import { placeLayer } from './layers/place-layer.ts'
import type { PlacedLayer } from './layers/place-layer.ts'
import { createPersonTasks } from './person-tasks.ts'
import type { Networks, ReadSubject } from './read-subject.ts'
import type { Frame } from './shared-frames.ts'
import type { BlendRequest, DrawBackgroundRequest } from './thread-messages.ts'

/**
 * What a thread does for each kind of request: what is asked and answered follows (`thread-calls.ts`).
 * @param networks the thread's own; every answer reports a failure to load them
 * @param sessions the photos under work, by session
 */
export function createThreadTasks(networks: Promise<Networks>, sessions: Map<number, ReadSubject>) {
  return {
    ...createPersonTasks(networks, sessions),
    inspect: async (request: Parameters<typeof inspectFaces>[1]) =>
      await inspectFaces(await networks, request),
    /** In the order of the inspection's faces. */
    cropFaces: async ({ photo }: { photo: NormalisedPhoto }) =>
      await cropFaces(await networks, photo),
    /** Takes everybody out of a photo of a place. */
    emptyPlace: async ({ photo }: { photo: NormalisedPhoto }) =>
      await readBackgroundPhoto(await networks, photo),
    /** Draws a layer's person into a frame. */
    async placeLayer({ placed, frame }: { placed: PlacedLayer; frame: Frame }) {
      await placeLayer(placed, frame)
      // This thread's copy, which waits long for the collector.
      releaseMemory(placed.layer.reading.silhouette.mask.data)
    },
    drawBackground,
    blend,
    collect: ({ type }: { type: 'major' | 'minor' }) => collectGarbage({ type }),
    drop({ session }: { session: number }) {
      sessions.delete(session)
    },
  }
}

/** Draws a scene, or what is seen of the kept background; answers with what the place does to the people. */
async function drawBackground({
  view,
  target: { data, width, height },
}: DrawBackgroundRequest): Promise<Gain | undefined> {
  if ('scene' in view) {
    const { colours, gain } = await drawScene(view, width, height)
    data.set(colours.data)
    return gain
  }
  const seen = seeBackground(view.own, view.window, width, height)
  const blurred = blurColours(seen, view.sigma)
  data.set(blurred.data)
  // With this thread's copy of what is kept.
  releaseMemory(seen.data, blurred.data, view.own.image.data, view.own.known.data)
  return view.own.gain
}

function blend({ background, people, picture, fromRow, toRow }: BlendRequest): void {
  const [front, ...behind] = people.toReversed()
  const back = behind.toReversed().reduce((far, near) => layOver(far, near, fromRow, toRow))
  blendRows({ background, back, front: front! }, picture, fromRow, toRow)
  // The memory of frames is shared and stays.
  if (behind.length > 1) releaseMemory(back.image.data, back.alpha.data)
}
