import type { PhotoInspection } from '../photo/inspection.ts'
import type {
  Aspect,
  GeneratedPicture,
  GenerateRequest,
  NormalisedPhoto,
  Scene,
} from '../image-provider.ts'
import { orAborted } from '../or-aborted.ts'
import { PhotoError } from '../photo/photo-error.ts'
import { engineVersion } from '../engine-version.ts'
import { startThreads } from './compositor-threads.ts'
import type { CompositorThread } from './compositor-threads.ts'
import { chooseScene } from './choose-scene.ts'
import { sceneLights } from './draw-scene.ts'
import { layOut } from './layout.ts'
import { planLight, underScene } from './plan-light.ts'
import { planTexture } from './plan-texture.ts'
import { isBetterMirrored, planRelight } from './relight/plan-relight.ts'
import type { LitPerson } from './relight/plan-relight.ts'
import type { BlendPerson, Frame, ReadResult } from './thread-messages.ts'
import { applySimilarity, similarityTurn } from './warp.ts'
import { createFrame, keepMemory } from './shared-memory.ts'

/** The embedded provider of pictures, and the inspection that shares its networks. */
export interface Compositor {
  readonly name: 'compositor'
  /** Stored with every picture; changes when pictures of the same photos change. */
  readonly model: string
  /**
   * Makes one picture of both people. Throws `PhotoError` when a photo can't be used, and any other
   * error when the compositor itself failed.
   */
  generate(request: GenerateRequest): Promise<GeneratedPicture>
  /**
   * Finds the faces and judges the photo. Never throws for a poor photo.
   * @param options.faceIndex the face that a picture would be made of; undefined: the main one
   */
  inspect(
    photo: NormalisedPhoto,
    options?: { signal?: AbortSignal | undefined; faceIndex?: number | undefined },
  ): Promise<PhotoInspection>
  /**
   * Cuts the main person out of a photo: the person's own colours and the matte, in the photo's
   * size, sRGB with straight alpha.
   * @throws PhotoError where the photo can't be used
   */
  cutOut(photo: NormalisedPhoto): Promise<Frame>
  /** Ends the threads; calls under way reject. */
  close(): Promise<void>
}

const model = `starside-compositor-${engineVersion}`

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
  const lend = keepMemory()
  let lastSession = 0
  let turn = 0
  let generating: Promise<unknown> = Promise.resolve()

  return {
    name: 'compositor',
    model,
    async inspect(photo, inspectOptions) {
      const thread = threads[turn++ % threads.length]!
      const result = await thread.ask(
        { kind: 'inspect', photo, faceIndex: inspectOptions?.faceIndex },
        inspectOptions?.signal,
      )
      return { widthPx: photo.widthPx, heightPx: photo.heightPx, ...result }
    },
    generate(request) {
      // One picture at a time: it uses all threads, and two would only need twice the memory.
      const sessions = [++lastSession, ++lastSession] as const
      const result = generating.then(() => makePicture(threads, lend, sessions, request))
      generating = result.catch(() => {})
      return orAborted(result, request.signal)
    },
    async cutOut(photo) {
      const session = ++lastSession
      const thread = threads[0]!
      await readPerson(thread, session, undefined, photo, undefined, undefined)
      const frame = createFrame(photo.widthPx, photo.heightPx)
      await thread.ask({
        kind: 'cut',
        session,
        toPicture: { a: 1, b: 0, tx: 0, ty: 0 },
        stretch: undefined,
        relight: undefined,
        mends: [],
        frame,
        background: undefined,
      })
      return frame
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

async function makePicture(
  threads: readonly CompositorThread[],
  lend: ReturnType<typeof keepMemory>,
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
    const [user, starAsIs] = await Promise.all([
      readPerson(userThread, userSession, 'user', request.userPhoto, request.userFaceIndex, signal),
      readPerson(starThread, starSession, 'star', request.starPhoto, request.starFaceIndex, signal),
    ])
    onStage?.('matting')
    const star = await mirrorWhereNearer(starThread, starSession, user, starAsIs, signal)
    const scene = sceneFor(request)
    onStage?.('layout')
    const [width, height] = pictureSizes[request.aspect][request.resolution]
    const layout = layOut(user, star, width, height)
    if (layout.visibleCut > visibleCutMax) throw new PhotoError('pair_too_tight')
    const memory = lend(width, height)
    const relight = planRelight(
      litPerson(user),
      litPerson(star),
      similarityTurn(layout.user),
      similarityTurn(layout.star),
    )
    const [userCut, starCut] = await Promise.all([
      userThread.ask(
        {
          kind: 'cut',
          session: userSession,
          toPicture: layout.user,
          stretch: layout.userStretch,
          relight: relight?.user,
          mends: layout.userMends,
          frame: memory.user,
          background: { scene, planes: memory.background },
        },
        signal,
      ),
      starThread.ask(
        {
          kind: 'cut',
          session: starSession,
          toPicture: layout.star,
          stretch: layout.starStretch,
          relight: relight?.star,
          mends: layout.starMends,
          frame: memory.star,
          background: undefined,
        },
        signal,
      ),
    ])
    onStage?.('harmonise')
    const light = planLight(userCut.light, starCut.light)
    const texture = planTexture(userCut.texture, starCut.texture)
    const person = (which: 'user' | 'star'): BlendPerson => {
      const isUser = which === 'user'
      const plan = isUser ? light.host : light.guest
      return {
        ...memory[which],
        light: scene === 'own' ? plan : underScene(plan, sceneLights[scene]),
        faceX: applySimilarity(layout[which], (isUser ? user : star).head.centre).x,
        headSize: layout.headSize,
        ...(isUser ? texture.one : texture.other),
      }
    }
    onStage?.('blend')
    const order = {
      kind: 'blend',
      background: memory.background,
      front: person(layout.front),
      back: person(layout.front === 'user' ? 'star' : 'user'),
      grain: texture.base,
      picture: memory.picture,
    } as const
    await Promise.all(
      threads.map((thread, n) => {
        const rowOf = (part: number): number => Math.round((height * part) / threads.length)
        return thread.ask({ ...order, fromRow: rowOf(n), toRow: rowOf(n + 1) }, signal)
      }),
    )
    return {
      // A copy, as the next picture is made in the same memory.
      pixels: memory.picture.data.slice(),
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

/** The star's reading, mirrored where that brings their light much nearer to the user's. */
async function mirrorWhereNearer(
  thread: CompositorThread,
  session: number,
  user: ReadResult,
  star: ReadResult,
  signal: AbortSignal | undefined,
): Promise<ReadResult> {
  if (!isBetterMirrored(litPerson(user), litPerson(star))) return star
  return (await thread.ask({ kind: 'mirror', session }, signal)) ?? star
}

function litPerson({ faceLight, head, light }: ReadResult): LitPerson {
  return { faceLight, head, skin: light.face }
}

async function readPerson(
  thread: CompositorThread,
  session: number,
  which: 'user' | 'star' | undefined,
  photo: NormalisedPhoto,
  faceIndex: number | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadResult> {
  const result = await thread.ask({ kind: 'read', session, photo, faceIndex }, signal)
  if (!result) throw new PhotoError('face_missing', which)
  const refusal = result.refusals[0]
  if (refusal) throw new PhotoError(refusal, which)
  return result
}

/** A cut-out has no background of its own to keep, so it is set in the studio. */
function sceneFor(request: GenerateRequest): Scene {
  const scene = chooseScene(request.scene, request.prompt)
  return scene === 'own' && request.userPhoto.hasMatte ? 'studio' : scene
}

/** A picture that would show more of a photo's border (in head sizes) is refused. */
export const visibleCutMax = 0.6
