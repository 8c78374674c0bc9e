import { engineVersion } from '../engine-version.ts'
import type { GeneratedPicture, GenerateRequest } from '../image-provider.ts'
import { PhotoError } from '../photo/photo-error.ts'
import { pictureSizes } from '../picture-sizes.ts'
import { applySimilarity } from '../image/warp.ts'
import { sceneLights } from './background/scene-lights.ts'
import { chooseView } from './choose-view.ts'
import type { CompositorThread } from './compositor-threads.ts'
import { planLight } from './harmonise/plan-light.ts'
import type { LightPlan } from './harmonise/plan-light.ts'
import { planTexture } from './harmonise/plan-texture.ts'
import { underScene } from './harmonise/under-scene.ts'
import { layOut } from './layout/layout.ts'
import { lightPeople, planLights } from './light-people.ts'
import type { PersonSession } from './person-session.ts'
import { litPerson } from './placed-people.ts'
import type { ByRole, PlacedPeople } from './placed-people.ts'
import { isBetterMirrored } from './relight/plan-relight.ts'
import type { PictureFrames } from './shared-frames.ts'
import type { BlendPerson, CutResult, ReadResult } from './thread-messages.ts'
import type { PhotoRole } from '../photo/photo-error.ts'

/** Stored with every picture; changes when pictures of the same photos change. */
export const compositorModel = `starside-compositor-${engineVersion}`

/** A picture that would show more of a photo's border (in head sizes) is refused. */
export const visibleCutMax = 0.6

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
    const view = chooseView(request, people, layout, height)
    const cut = await cutBoth(sessions, { people, layout, frames, view, signal })
    onStage?.('harmonise')
    const { persons, grain } = harmonise({ people, layout, frames, view, cut })
    await lightPeople(threads, { people, layout, frames, view, cut, persons }, signal)
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

/** Draws both people into their frames, and the background. */
async function cutBoth(
  sessions: ByRole<PersonSession>,
  { people, layout, frames, view, signal }: PlacedPeople & { signal: AbortSignal | undefined },
): Promise<ByRole<CutResult>> {
  const relight = planLights(people, layout, view)
  const [user, star] = await Promise.all([
    sessions.user.cut(
      {
        toPicture: layout.user,
        stretch: layout.userStretch,
        relight: relight?.user,
        mends: layout.userMends,
        frame: frames.user,
        background: view === 'own' ? { view, planes: frames.background } : undefined,
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
        // The star is mostly a cut-out, so their thread has the time.
        background: view === 'own' ? undefined : { view, planes: frames.background },
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
  view,
  cut,
}: PlacedPeople & { cut: ByRole<CutResult> }): {
  persons: ByRole<BlendPerson>
  grain: number
} {
  const light = planLight(cut.user.light, cut.star.light)
  const texture = planTexture(cut.user.texture, cut.star.texture)
  const { surroundings } = cut.star
  const lightIn = (plan: LightPlan): LightPlan =>
    view === 'own' || !surroundings ? plan : underScene(plan, sceneLights[view.scene], surroundings)
  const personOf = (role: PhotoRole): BlendPerson => ({
    ...frames[role],
    light: lightIn(light[role]),
    faceX: applySimilarity(layout[role], people[role].head.centre).x,
    headSize: layout.headSize,
    ...texture[role],
  })
  return { persons: { user: personOf('user'), star: personOf('star') }, grain: texture.base }
}
