import type { PhotoInspection } from '../photo/inspection.ts'
import type { GeneratedPicture, GenerateRequest, NormalisedPhoto } from '../image-provider.ts'
import { startThreads } from './compositor-threads.ts'
import type { CompositorThread } from './compositor-threads.ts'
import { compositorModel } from './make-picture.ts'
import type { CroppedFace } from './faces/crop-face.ts'
import { createPictureLane } from './picture-lane.ts'
import { openPersonSession } from './person-session.ts'
import type { PersonSession } from './person-session.ts'
import { createReadings } from './readings.ts'
import type { PhotoToRead } from './readings.ts'
import { createFrame, createFramePool } from './shared-frames.ts'
import type { Frame } from './shared-frames.ts'
import { createVariationsOfLayers } from './variations/variations-of-layers.ts'
import type { VariationsOfLayers } from './variations/variations-of-layers.ts'

/** The embedded provider of pictures, and the inspection that shares its networks. */
export interface Compositor {
  readonly name: 'compositor'
  /** Stored with every picture; changes when pictures of the same photos change. */
  readonly model: string
  /** Makes one picture. `PhotoError`: a photo can't be used; other errors: the compositor fails. */
  generate(request: GenerateRequest): Promise<GeneratedPicture>
  /** Draws arrangements of people who were cut out once. */
  readonly variations: VariationsOfLayers
  /**
   * Finds the faces and judges the photo. Never throws for a poor photo.
   * @param options.faceIndexes the faces that a picture would be made of; undefined: the main one
   */
  inspect(
    photo: NormalisedPhoto,
    options?: { signal?: AbortSignal | undefined; faceIndexes?: readonly number[] | undefined },
  ): Promise<PhotoInspection>
  /** Cuts all faces out for a face network, in the order of the inspection. */
  cropFaces(photo: NormalisedPhoto, signal?: AbortSignal): Promise<CroppedFace[]>
  /**
   * Cuts the main person out of a photo: the person's own colours and the matte, in the photo's
   * size, sRGB with straight alpha.
   * @throws PhotoError where the photo can't be used
   */
  cutOut(photo: NormalisedPhoto): Promise<Frame>
  /** Reads a photo that is likely to be wanted soon, unless it is known or others are waiting. */
  readAhead(photo: PhotoToRead): void
  /** Has the threads collect their garbage, those that are busy after their work. */
  collectGarbage(): void
  /** Drops what was kept for an account. */
  forget(account: string): void
  /** Ends the threads; calls under way reject. */
  close(): Promise<void>
}

/**
 * Starts the embedded compositor. Its threads start here; the networks are loaded with the first
 * photo. It keeps no reference that would hold the process open.
 * @param options.threads 2 cuts both people out at once; 1 saves memory
 */
export async function createCompositor(options?: { threads?: number }): Promise<Compositor> {
  const threadCount = options?.threads ?? 2
  const all = await startThreads(threadCount, threadCount > 1 ? 1 : 0)
  const threads = all.slice(0, threadCount)
  // Two stars on one thread would wait for each other while the user's is idle.
  const threadOfStar = (star: number): CompositorThread => all[star + 1] ?? threads[0]!
  const acquireFrames = createFramePool()
  const readings = createReadings()
  let lastSession = 0
  let inspections = 0
  let readAheads = 0
  const nextThread = () => threads[inspections++ % threads.length]!
  const lane = createPictureLane()

  const openSessions = (request: GenerateRequest): PersonSession[] => [
    openPersonSession(threads[0]!, ++lastSession, 'user'),
    ...request.stars.map((_, star) => openPersonSession(threadOfStar(star), ++lastSession, 'star')),
  ]

  const variations = createVariationsOfLayers({
    threads,
    readings,
    acquireFrames,
    openSessions,
    lane,
  })
  return {
    name: 'compositor',
    model: compositorModel,
    variations,
    async inspect(photo, { faceIndexes = [0], signal } = {}) {
      const result = await nextThread().ask({ kind: 'inspect', photo, faceIndexes }, signal)
      return { widthPx: photo.widthPx, heightPx: photo.heightPx, ...result }
    },
    async cropFaces(photo, signal) {
      return await nextThread().ask({ kind: 'cropFaces', photo }, signal)
    },
    async generate(request) {
      const { best } = await variations.makeSheet(request, 0, false)
      return { ...best, provider: 'compositor', model: compositorModel }
    },
    async cutOut(photo) {
      const session = openPersonSession(threads[0]!, ++lastSession)
      await session.read(photo, [0])
      const frame = createFrame(photo.widthPx, photo.heightPx)
      await session.cutLayer({ place: { left: 0, top: 0, scale: 1 }, frame })
      return frame
    },
    readAhead(photo) {
      readings.readAhead(threads[readAheads++ % threads.length]!, photo)
    },
    collectGarbage() {
      for (const thread of threads) thread.ask({ kind: 'collect', type: 'major' }).catch(() => {})
    },
    forget(account) {
      readings.forget(account)
      variations.forget(account)
    },
    async close() {
      await Promise.all(all.map((thread) => thread.close()))
    },
  }
}
