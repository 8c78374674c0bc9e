import { createAccountMemory } from '../../account-memory.ts'
import type { GenerateRequest, NormalisedPhoto } from '../../image-provider.ts'
import { photoDigest } from '../../photo/photo-digest.ts'
import type { EmptyBackground } from '../layers/empty-background.ts'
import type { Layers, SubjectLayer } from '../layers/layers.ts'
import type { Layout } from '../layout/layout.ts'
import type { PictureLane } from '../picture-lane.ts'
import type { AcquireFrame, Frame } from '../shared-frames.ts'
import { releaseMemory } from '../../release-memory.ts'
import type { CutPeople } from './sheet-pictures.ts'

/** What a sheet's photos and format decide, whatever else is wished: the best layout, and everybody cut out. */
interface PreparedCut {
  layout: Layout
  subjects: readonly SubjectLayer[]
  background: EmptyBackground | undefined
  /** Set when its memory was given back. */
  isDropped: boolean
}

/** What is prepared, of an account's request. */
type CutRequest = Pick<
  GenerateRequest,
  'userPhoto' | 'userFaceIndexes' | 'stars' | 'aspect' | 'resolution'
>

/** Two people of a picture of standard size take up to 17 MB. */
const bounds = { keptMs: 5 * 60_000, bytesMax: 34_000_000, bytesPerOwnerMax: 26_000_000 }

/** What cutting out ahead of need takes. */
interface PreparationTools {
  cut: (request: GenerateRequest) => Promise<CutPeople>
  /** Takes the layers. */
  acquireFrame: AcquireFrame
  lane: PictureLane
  /** Milliseconds of a clock that never goes back. */
  now?: (() => number) | undefined
}

/** Cuts people out ahead of need, and keeps them for a few minutes. */
export interface Preparation {
  prepare(request: GenerateRequest & { account: string }): void
  /**
   * What was prepared for a request, else cuts its people out; of a picture whose turn it is.
   * @param name of `nameOfCut`; undefined where nobody is to profit
   */
  cut(
    request: GenerateRequest,
    name: string | undefined,
  ): Promise<CutPeople & { wasPrepared: boolean }>
  forget(account: string): void
}

/** With nothing kept. */
export function createPreparation({ cut, acquireFrame, lane, now }: PreparationTools): Preparation {
  const memory = createAccountMemory<PreparedCut>({ ...bounds, now, onDropped })
  const make = async (request: GenerateRequest): Promise<PreparedCut | undefined> => {
    const { layout, layers, areKept } = await cut(request)
    const made = await layers.cut
    // A reading that isn't kept may turn out otherwise the next time.
    return areKept ? keepCut(layout, made) : undefined
  }
  return {
    prepare(request) {
      const { account } = request
      const name = nameOfCut(request)
      lane.prepare({
        account,
        name,
        async make(signal) {
          if (await memory.find({ account }, name)) return
          signal.throwIfAborted()
          const making = make({ ...request, signal })
          memory.keep({ account }, name, making)
          await making
        },
      })
    },
    async cut(request, name) {
      const { account, seed = 1 } = request
      const kept =
        account === undefined || name === undefined
          ? undefined
          : await memory.find({ account }, name)
      if (!kept || kept.isDropped) return { ...(await cut(request)), wasPrepared: false }
      return { ...reopenCut(kept, seed, acquireFrame), wasPrepared: true }
    },
    forget(account) {
      memory.forget(account)
      lane.forget(account)
    },
  }
}

/** The same for the same photos, faces and format alone. */
export function nameOfCut({
  userPhoto,
  userFaceIndexes = [0],
  stars,
  aspect,
  resolution,
}: CutRequest): string {
  return JSON.stringify([
    [...photoKey(userPhoto), userFaceIndexes],
    ...stars.map(({ photo, faceIndex = 0 }) => [...photoKey(photo), faceIndex]),
    aspect,
    resolution,
  ])
}

function photoKey({ bytes, hasMatte }: NormalisedPhoto) {
  return [photoDigest(bytes), hasMatte] as const
}

/** What can be kept: the memory of frames is used again by the next picture. */
function keepCut(layout: Layout, { subjects, background }: Layers): PreparedCut {
  const kept = subjects.map((subject) => ({
    ...subject,
    frame: copyFrame(subject.frame, ({ image: { width, height } }) => ({
      image: { data: new Uint8Array(width * height * 3), width, height },
      alpha: { data: new Uint8Array(width * height), width, height },
    })),
  }))
  return { layout, subjects: kept, background, isDropped: false }
}

function onDropped(cut: PreparedCut): void {
  cut.isDropped = true
  for (const { frame } of cut.subjects) releaseMemory(frame.image.data, frame.alpha.data)
}

/** As if everybody had just been cut out. */
function reopenCut(
  { layout, subjects, background }: PreparedCut,
  seed: number,
  acquireFrame: AcquireFrame,
): CutPeople {
  const opened = subjects.map((subject, n) => ({
    ...subject,
    frame: copyFrame(subject.frame, ({ image: { width, height } }) =>
      acquireFrame(n, width, height),
    ),
  }))
  return {
    layout,
    subjects: subjects.map(({ reading }) => reading),
    layers: {
      subjects: opened,
      threads: undefined,
      background: background && Promise.resolve(background),
      seed,
      cut: Promise.resolve({ subjects: opened, background, seed }),
    },
    keptCount: subjects.length,
    areKept: true,
  }
}

function copyFrame(frame: Frame, make: (like: Frame) => Frame): Frame {
  const copy = make(frame)
  copy.image.data.set(frame.image.data)
  copy.alpha.data.set(frame.alpha.data)
  return copy
}
