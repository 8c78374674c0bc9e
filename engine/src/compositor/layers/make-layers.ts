import { similarityScale } from '../../image/warp.ts'
import type { Layout } from '../layout/layout.ts'
import type { PersonSession } from '../person-session.ts'
import type { AcquireFrame } from '../shared-frames.ts'
import type { ReadResult } from '../thread-messages.ts'
import { exposureGain } from '../harmonise/match-exposure.ts'
import { matchSkin } from '../harmonise/match-skin.ts'
import { layerShape } from './cut-layer.ts'
import type { EmptyBackground } from './empty-background.ts'
import type { ComingLayers, Layers, SubjectLayer } from './layers.ts'

/** What layers are made of. */
export interface LayerSources {
  /** One for each subject; their photos are given back. */
  sessions: readonly PersonSession[]
  subjects: readonly ReadResult[]
  /** Of the best picture: layers are as large as it shows everybody. */
  layout: Layout
  /** Area of the picture, in pictures of standard size. */
  largerBy: number
  /** Of the user's photo, where it is to be kept. */
  background: Promise<EmptyBackground> | undefined
  seed: number
  acquireFrame: AcquireFrame
}

/** Begins to cut everybody out. */
export function makeLayers(
  { sessions, subjects, layout, largerBy, background, seed, acquireFrame }: LayerSources,
  signal: AbortSignal | undefined,
): ComingLayers {
  const cutting: Promise<void>[] = []
  const gains = subjects.map(({ light }, n) =>
    exposureGain(light, subjects[n === 0 ? 1 : 0]!.light),
  )
  // Out of the dark no colour is known well.
  const skins = gains.every((gain) => gain === 1)
    ? matchSkin(subjects.map(({ light }) => light.skin.tint))
    : undefined
  const layers = subjects.map((reading, n): SubjectLayer => {
    const scale = similarityScale(layout.subjects[n]!.toPicture)
    const { silhouette, head } = reading
    const { place, width, height } = layerShape(silhouette, head.size, scale, largerBy)
    const frame = acquireFrame(n, width, height)
    cutting.push(sessions[n]!.cutLayer({ place, frame, gain: gains[n], skin: skins?.[n] }))
    return { frame, place, reading }
  })
  const finish = async (): Promise<Layers> => {
    await Promise.allSettled(cutting)
    await Promise.all(cutting)
    signal?.throwIfAborted()
    return { subjects: layers, background: await background, seed }
  }
  const threads = sessions.map(({ thread }) => thread)
  return { subjects: layers, threads, background, seed, cut: finish() }
}
