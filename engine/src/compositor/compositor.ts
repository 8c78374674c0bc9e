import type { PhotoInspection } from '../engine.ts'
import type {
  Aspect,
  GeneratedPicture,
  GenerateRequest,
  ImageProvider,
  NormalisedPhoto,
} from '../image-provider.ts'
import { PhotoError } from '../photo/photo-error.ts'
import { startThreads } from './compositor-threads.ts'
import type { CompositorThread } from './compositor-threads.ts'
import { layOut } from './layout.ts'
import type { Layout } from './layout.ts'
import { planLight } from './plan-light.ts'
import type { BlendPerson, CutResult, InspectResult, ReadResult } from './thread-messages.ts'
import { applySimilarity } from './warp.ts'
import type { RgbImage } from './raster.ts'

/** The embedded maker of pictures, and the inspection that shares its networks. */
export interface Compositor extends ImageProvider {
  readonly name: 'compositor'
  /** Stored with every picture; changes when pictures of the same photos change. */
  readonly model: string
  /**
   * Finds the faces and judges the photo. Never throws for a poor photo.
   * @param options.faceIndex the face that a picture would be made of; undefined: the main one
   */
  inspect(
    photo: NormalisedPhoto,
    options?: { signal?: AbortSignal | undefined; faceIndex?: number | undefined },
  ): Promise<PhotoInspection>
  /** Ends the threads; calls under way reject. */
  close(): Promise<void>
}

const model = 'starside-compositor-1'

/** Width and height of the pictures, in pixels. */
export const pictureSizes: Record<
  Aspect,
  Record<'standard' | 'high', readonly [number, number]>
> = {
  '4:5': { standard: [1024, 1280], high: [1536, 1920] },
  '1:1': { standard: [1152, 1152], high: [1728, 1728] },
  '16:9': { standard: [1536, 864], high: [2048, 1152] },
}

/**
 * Starts the embedded compositor. Its threads start here; the networks are loaded with the first
 * photo. It keeps no reference that would hold the process open.
 * @param options.threads 2 cuts both people out at once; 1 saves memory
 */
export async function createCompositor(options?: { threads?: number }): Promise<Compositor> {
  const threads = await startThreads(options?.threads ?? 2)
  let lastSession = 0
  let turn = 0
  let generating: Promise<unknown> = Promise.resolve()

  return {
    name: 'compositor',
    model,
    async inspect(photo, inspectOptions) {
      const thread = threads[turn++ % threads.length]!
      const result = (await thread.ask(
        { kind: 'inspect', photo, faceIndex: inspectOptions?.faceIndex },
        inspectOptions?.signal,
      )) as InspectResult
      return { widthPx: photo.widthPx, heightPx: photo.heightPx, ...result }
    },
    generate(request) {
      // One picture at a time: it uses all threads, and two would only need twice the memory.
      const sessions = [++lastSession, ++lastSession] as const
      const result = generating.then(() => makePicture(threads, sessions, request))
      generating = result.catch(() => {})
      return raceAbort(result, request.signal)
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

async function makePicture(
  threads: readonly CompositorThread[],
  [userSession, starSession]: readonly [number, number],
  request: GenerateRequest,
): Promise<GeneratedPicture> {
  const { signal, onStage } = request
  signal?.throwIfAborted()
  const userThread = threads[0]!
  const starThread = threads[1 % threads.length]!
  try {
    onStage?.('reading')
    onStage?.('faces')
    const [user, star] = await Promise.all([
      readPerson(userThread, userSession, 'user', request.userPhoto, request.userFaceIndex, signal),
      readPerson(starThread, starSession, 'star', request.starPhoto, request.starFaceIndex, signal),
    ])
    onStage?.('layout')
    const [width, height] = pictureSizes[request.aspect][request.resolution]
    const layout = layOut(user, star, width, height)
    onStage?.('matting')
    const size = { width, height }
    const [userCut, starCut] = (await Promise.all([
      userThread.ask(
        {
          kind: 'cut',
          session: userSession,
          toPicture: layout.user,
          stretch: layout.userStretch,
          ...size,
          withBackground: true,
        },
        signal,
      ),
      starThread.ask(
        {
          kind: 'cut',
          session: starSession,
          toPicture: layout.star,
          stretch: layout.starStretch,
          ...size,
          withBackground: false,
        },
        signal,
      ),
    ])) as [CutResult, CutResult]
    onStage?.('harmonise')
    const light = planLight(user.light, star.light)
    const userPerson = blendPerson(user, userCut, light.host, layout, 'user')
    const starPerson = blendPerson(star, starCut, light.guest, layout, 'star')
    onStage?.('blend')
    const userInFront = layout.front === 'user'
    const picture = (await userThread.ask(
      {
        kind: 'blend',
        background: userCut.background!,
        front: userInFront ? userPerson : starPerson,
        back: userInFront ? starPerson : userPerson,
        grain: 1.6,
      },
      signal,
    )) as RgbImage
    return {
      pixels: picture.data,
      widthPx: width,
      heightPx: height,
      provider: 'compositor',
      model,
    }
  } finally {
    void userThread.ask({ kind: 'drop', session: userSession }).catch(() => {})
    void starThread.ask({ kind: 'drop', session: starSession }).catch(() => {})
  }
}

async function readPerson(
  thread: CompositorThread,
  session: number,
  which: 'user' | 'star',
  photo: NormalisedPhoto,
  faceIndex: number | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadResult> {
  const result = (await thread.ask({ kind: 'read', session, photo, faceIndex }, signal)) as
    | ReadResult
    | undefined
  if (!result) throw new PhotoError('face_missing', which)
  const refusal = result.refusals[0]
  if (refusal) throw new PhotoError(refusal, which)
  return result
}

function blendPerson(
  read: ReadResult,
  cut: CutResult,
  light: BlendPerson['light'],
  layout: Layout,
  which: 'user' | 'star',
): BlendPerson {
  return {
    image: cut.image,
    alpha: cut.alpha,
    light,
    faceX: applySimilarity(layout[which], read.head.centre).x,
    headSize: layout.headSize,
  }
}

/** Rejects as soon as the signal aborts, whatever the work still does. */
function raceAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
