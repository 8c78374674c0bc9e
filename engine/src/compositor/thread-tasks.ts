import type { ColourPlanes } from '../image/colour-planes.ts'
import { gaussianBlur } from '../image/box-blur.ts'
import type { Plane } from '../image/raster.ts'
import { applySimilarity, similarityScale } from '../image/warp.ts'
import { releaseMemory } from '../release-memory.ts'
import { drawBackgroundPhoto, readBackgroundPhoto } from './background/background-photo.ts'
import type { BackgroundPhoto } from './background/background-photo.ts'
import { drawScene } from './background/draw-scene.ts'
import type { DrawnBackground } from './background/draw-scene.ts'
import { ownBackground } from './background/own-background.ts'
import { blendRows } from './blend/blend.ts'
import type { CutOut } from './blend/blend.ts'
import { layOver } from './blend/lay-over.ts'
import { softenRows } from './blend/soften.ts'
import { mendBorders } from './borders/mend-borders.ts'
import { stretchBody } from './borders/stretch-body.ts'
import { cropFaces, inspectFaces } from './inspect-faces.ts'
import { lightByScene } from './harmonise/light-by-scene.ts'
import { putFacesBack } from './put-back/put-faces-back.ts'
import { keepReading, reopenReading } from './kept-reading.ts'
import { cutLayer } from './layers/cut-layer.ts'
import { emptyBackground, seeBackground } from './layers/empty-background.ts'
import { placeLayer } from './layers/place-layer.ts'
import { measureTexture } from './harmonise/measure-noise.ts'
import { cutOutPerson } from './matting/cut-out-person.ts'
import { mirrorPhoto } from './mirror-subject.ts'
import { readSubject } from './read-subject.ts'
import type { Networks, ReadSubject } from './read-subject.ts'
import { relightSubject } from './relight/relight-subject.ts'
import type {
  BlendRequest,
  CutRequest,
  CutResult,
  DrawBackgroundRequest,
  ReadResult,
  RequestOf,
  ThreadRequest,
  ThreadResults,
} from './thread-messages.ts'

/** What a thread does for each kind of request. */
export type ThreadTasks = {
  [Kind in ThreadRequest['kind']]: (
    request: RequestOf<Kind>,
  ) => ThreadResults[Kind] | Promise<ThreadResults[Kind]>
}

/**
 * @param networks the thread's own; every answer reports a failure to load them
 * @param sessions the photos under work, by session
 */
export function createThreadTasks(
  networks: Promise<Networks>,
  sessions: Map<number, ReadSubject>,
): ThreadTasks {
  const places = new Map<number, BackgroundPhoto>()
  const subjectOf = (session: number): ReadSubject => {
    const subject = sessions.get(session)
    if (!subject) throw new Error('The photo of this session is gone')
    return subject
  }
  return {
    async read({ session, photo, faceIndexes, opinion, kept, keeps }) {
      const subject = kept
        ? await reopenReading(kept, photo)
        : await readSubject(await networks, photo, faceIndexes, opinion)
      if (!subject) return undefined
      sessions.set(session, subject)
      return { reading: resultOf(subject), kept: keeps ? keepReading(subject) : undefined }
    },
    async readAhead({ photo, faceIndexes, opinion }) {
      const subject = await readSubject(await networks, photo, faceIndexes, opinion)
      if (!subject || subject.refusals.length > 0) return undefined
      const background = subject.matte ? undefined : emptyBackground(subject)
      const kept = { ...keepReading(subject), background }
      releaseMemory(...subject.photo.levels.map((level) => level.data), subject.matte?.data)
      return kept
    },
    mirror({ session, withWriting }) {
      const mirrored = mirrorPhoto(subjectOf(session), withWriting)
      if (!mirrored) return undefined
      sessions.set(session, mirrored)
      return resultOf(mirrored)
    },
    async inspect(request) {
      return await inspectFaces(await networks, request)
    },
    async cropFaces({ photo }) {
      return await cropFaces(await networks, photo)
    },
    async putFacesBack(request) {
      return await putFacesBack(await networks, request)
    },
    async readPlace({ session, photo }) {
      const { background, reading } = await readBackgroundPhoto(await networks, photo)
      places.set(session, background)
      return reading
    },
    drawPlace({ session, window, sigma, planes: target }) {
      const place = places.get(session)
      if (!place) throw new Error('The background photo of this session is gone')
      const [{ width, height }] = target
      const drawn = drawBackgroundPhoto(place, { window, sigma, width, height })
      fillPlanes(target, drawn.planes)
      return drawn.surroundings
    },
    async cut(request) {
      const subject = subjectOf(request.session)
      // Its photo is given back on the way, so it can't be cut out twice.
      sessions.delete(request.session)
      return await cut(subject, request)
    },
    async cutLayer({ session, place, frame, withBackground }) {
      const subject = subjectOf(session)
      sessions.delete(session)
      const background = withBackground
        ? (subject.background ?? emptyBackground(subject))
        : undefined
      return { ...(await cutLayer(subject, place, frame)), background }
    },
    async placeLayer({ placed, frame }) {
      return await placeLayer(placed, frame)
    },
    drawBackground,
    lightByScene({ frame, lighting }) {
      lightByScene(frame, lighting)
    },
    blend,
    drop({ session }) {
      sessions.delete(session)
      places.delete(session)
    },
  }
}

function resultOf(subject: ReadSubject): ReadResult {
  const { width, height } = subject.photo.levels[0]!
  return {
    refusals: subject.refusals,
    head: subject.head,
    heads: subject.heads,
    silhouette: subject.silhouette,
    light: subject.light,
    faceLight: subject.faceLight,
    sharpness: subject.sharpness,
    width,
    height,
  }
}

/** Draws a person into their frame; the subject must not be used any more. */
async function cut(subject: ReadSubject, request: CutRequest): Promise<CutResult> {
  const { toPicture, frame, relight } = request
  const surroundings = request.background && makeBackground(subject, request, request.background)
  await cutOutPerson(subject, toPicture, frame)
  const light = relight ? relightSubject(subject, toPicture, frame, relight) : subject.light
  const { head } = subject.face
  const { heads } = subject
  const texture = measureTexture(frame.image, {
    centre: applySimilarity(toPicture, head.centre),
    size: head.size * similarityScale(toPicture),
  })
  const photo = { head: subject.head, heads, ...subject.silhouette.photo }
  mendBorders(frame, photo, toPicture, request.mends)
  if (request.stretch) stretchBody(frame, request.stretch)
  const { crops, people, person } = subject
  releaseMemory(...crops.map((crop) => crop.matte.data), people.data, person.data)
  return { texture, light, surroundings }
}

/** @returns what falls on the people, where a scene was drawn */
function makeBackground(
  subject: ReadSubject,
  { toPicture, frame }: CutRequest,
  { view, planes: target }: NonNullable<CutRequest['background']>,
): ColourPlanes | undefined {
  const [{ width, height }] = target
  const { planes, surroundings }: Partial<DrawnBackground> & Pick<DrawnBackground, 'planes'> =
    view === 'own'
      ? { planes: ownBackground(subject, toPicture, { width, height }, frame.image) }
      : drawScene(view, width, height)
  fillPlanes(target, planes)
  return surroundings
}

/** Moves planes to memory that all threads see. */
function fillPlanes(target: ColourPlanes, planes: ColourPlanes): void {
  for (const [channel, { data }] of planes.entries()) {
    target[channel]!.data.set(data)
    releaseMemory(data)
  }
}

/** Draws a scene, or what is seen of the kept background. */
function drawBackground({ view, planes: target }: DrawBackgroundRequest): ColourPlanes | undefined {
  const [{ width, height }] = target
  if ('scene' in view) {
    const { planes, surroundings } = drawScene(view, width, height)
    fillPlanes(target, planes)
    return surroundings
  }
  const seen = seeBackground(view.own, view.window, width, height)
  const blur = (plane: Plane): Plane => gaussianBlur(plane, view.sigma)
  fillPlanes(target, [blur(seen[0]), blur(seen[1]), blur(seen[2])])
  return undefined
}

async function blend(request: BlendRequest): Promise<void> {
  const { background, grain, picture, fromRow, toRow } = request
  const people: CutOut[] = []
  for (const person of request.people) {
    const image = await softenRows(person.image, person.blurSigma, fromRow, toRow)
    people.push({ ...person, image })
  }
  const [front, ...behind] = people.toReversed()
  const back = behind.toReversed().reduce((far, near) => layOver(far, near, fromRow, toRow))
  blendRows({ background, back, front: front!, grain }, picture, fromRow, toRow)
  // Only what was softened is this thread's own: the memory of frames is shared and stays.
  releaseMemory(...people.map(({ image }) => image.data))
  if (behind.length > 1) releaseMemory(back.image.data, back.alpha.data)
}
