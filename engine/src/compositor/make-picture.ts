import { engineVersion } from '../engine-version.ts'
import type { GeneratedPicture, GenerateRequest, Scene } from '../image-provider.ts'
import { PhotoError } from '../photo/photo-error.ts'
import { pictureSizes } from '../picture-sizes.ts'
import { applySimilarity, similarityRotation } from '../image/warp.ts'
import { chooseScene } from './background/choose-scene.ts'
import { sceneLights } from './background/draw-scene.ts'
import type { CompositorThread } from './compositor-threads.ts'
import { planLight, underScene } from './harmonise/plan-light.ts'
import { planTexture } from './harmonise/plan-texture.ts'
import { layOut } from './layout/layout.ts'
import type { Layout } from './layout/layout.ts'
import type { PersonSession } from './person-session.ts'
import { isBetterMirrored, planRelight } from './relight/plan-relight.ts'
import type { LitPerson } from './relight/plan-relight.ts'
import type { PictureFrames } from './shared-frames.ts'
import type { BlendPerson, CutResult, ReadResult } from './thread-messages.ts'
import type { PhotoRole } from '../photo/photo-error.ts'

/** Stored with every picture; changes when pictures of the same photos change. */
export const compositorModel = `starside-compositor-${engineVersion}`

/** A picture that would show more of a photo's border (in head sizes) is refused. */
export const visibleCutMax = 0.6

/** Both people of one picture. */
type ByRole<Value> = Record<PhotoRole, Value>

/** What one picture is made with. */
export interface PictureTools {
  /** Share the rows of the picture when it is blended. */
  threads: readonly CompositorThread[]
  sessions: ByRole<PersonSession>
  acquireFrames: (width: number, height: number) => PictureFrames
}

/** The stages of one picture in their order, and what is decided between them. */
export async function makePicture(
  { threads, sessions, acquireFrames }: PictureTools,
  request: GenerateRequest,
): Promise<GeneratedPicture> {
  const { signal, onStage } = request
  signal?.throwIfAborted()
  try {
    onStage?.('reading')
    onStage?.('faces')
    const read = await readBoth(sessions, request)
    onStage?.('matting')
    const people = { ...read, star: await mirrorWhereNearer(sessions.star, read, signal) }
    onStage?.('layout')
    const [width, height] = pictureSizes[request.aspect][request.resolution]
    const layout = layOut(people.user, people.star, width, height)
    if (layout.visibleCut > visibleCutMax) throw new PhotoError('pair_too_tight')
    const frames = acquireFrames(width, height)
    const scene = sceneFor(request)
    const cut = await cutBoth(sessions, { people, layout, frames, scene, signal })
    onStage?.('harmonise')
    const { persons, grain } = harmonise({ people, layout, frames, scene, cut })
    onStage?.('blend')
    const { background, picture } = frames
    const back = persons[layout.front === 'user' ? 'star' : 'user']
    const front = persons[layout.front]
    await Promise.all(
      threads.map((thread, n) => {
        const rowOf = (part: number): number => Math.round((height * part) / threads.length)
        const rows = { fromRow: rowOf(n), toRow: rowOf(n + 1) }
        return thread.ask(
          { kind: 'blend', background, back, front, grain, picture, ...rows },
          signal,
        )
      }),
    )
    return {
      // A copy, as the next picture is made in the same memory.
      pixels: picture.data.slice(),
      widthPx: width,
      heightPx: height,
      provider: 'compositor',
      model: compositorModel,
    }
  } finally {
    sessions.user.drop()
    sessions.star.drop()
  }
}

async function readBoth(
  sessions: ByRole<PersonSession>,
  request: GenerateRequest,
): Promise<ByRole<ReadResult>> {
  const { userPhoto, userFaceIndex, starPhoto, starFaceIndex, signal } = request
  const [user, star] = await Promise.all([
    sessions.user.read(userPhoto, userFaceIndex, signal),
    sessions.star.read(starPhoto, starFaceIndex, signal),
  ])
  return { user, star }
}

/** The star's reading, mirrored where that brings their light much nearer to the user's. */
async function mirrorWhereNearer(
  session: PersonSession,
  { user, star }: ByRole<ReadResult>,
  signal: AbortSignal | undefined,
): Promise<ReadResult> {
  if (!isBetterMirrored(litPerson(user), litPerson(star))) return star
  return (await session.mirror(signal)) ?? star
}

function litPerson({ faceLight, head, light }: ReadResult): LitPerson {
  return { faceLight, head, skin: light.face }
}

/** A cut-out has no background of its own to keep, so it is set in the studio. */
function sceneFor(request: GenerateRequest): Scene {
  const scene = chooseScene(request.scene, request.prompt)
  return scene === 'own' && request.userPhoto.hasMatte ? 'studio' : scene
}

/** What is known of a picture once its layout is found. */
interface PlacedPeople {
  people: ByRole<ReadResult>
  layout: Layout
  frames: PictureFrames
  scene: Scene
}

/** Draws both people into their frames, and the background. */
async function cutBoth(
  sessions: ByRole<PersonSession>,
  { people, layout, frames, scene, signal }: PlacedPeople & { signal: AbortSignal | undefined },
): Promise<ByRole<CutResult>> {
  const relight = planRelight(
    litPerson(people.user),
    litPerson(people.star),
    similarityRotation(layout.user),
    similarityRotation(layout.star),
  )
  const [user, star] = await Promise.all([
    sessions.user.cut(
      {
        toPicture: layout.user,
        stretch: layout.userStretch,
        relight: relight?.user,
        mends: layout.userMends,
        frame: frames.user,
        background: { scene, planes: frames.background },
      },
      signal,
    ),
    sessions.star.cut(
      {
        toPicture: layout.star,
        stretch: layout.starStretch,
        relight: relight?.star,
        mends: layout.starMends,
        frame: frames.star,
        background: undefined,
      },
      signal,
    ),
  ])
  return { user, star }
}

/** Plans how both people's light, colour and texture move, and the grain of the background. */
function harmonise({
  people,
  layout,
  frames,
  scene,
  cut,
}: PlacedPeople & { cut: ByRole<CutResult> }): {
  persons: ByRole<BlendPerson>
  grain: number
} {
  const light = planLight(cut.user.light, cut.star.light)
  const texture = planTexture(cut.user.texture, cut.star.texture)
  const personOf = (role: PhotoRole): BlendPerson => ({
    ...frames[role],
    light: scene === 'own' ? light[role] : underScene(light[role], sceneLights[scene]),
    faceX: applySimilarity(layout[role], people[role].head.centre).x,
    headSize: layout.headSize,
    ...texture[role],
  })
  return { persons: { user: personOf('user'), star: personOf('star') }, grain: texture.base }
}
