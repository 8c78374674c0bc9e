import { releaseMemory } from '../release-memory.ts'
import { drawScene } from './background/draw-scene.ts'
import { fillPlanes } from './background/fill-planes.ts'
import { ownBackground } from './background/own-background.ts'
import type { Gain } from './blend/blend.ts'
import { mendBorders } from './borders/mend-borders.ts'
import { stretchBody } from './borders/stretch-body.ts'
import { keepReading, reopenReading } from './kept-reading.ts'
import type { KeptReading } from './kept-reading.ts'
import { cutLayer } from './layers/cut-layer.ts'
import { emptyBackground } from './layers/empty-background.ts'
import { cutOutPerson } from './matting/cut-out-person.ts'
import { readSubject } from './read-subject.ts'
import type { Networks, ReadSubject } from './read-subject.ts'
import type {
  CutLayerRequest,
  CutRequest,
  PhotoRequest,
  ReadRequest,
  ReadResult,
} from './thread-messages.ts'

/**
 * What a thread does for photos of people.
 * @param networks the thread's own
 * @param sessions the photos under work, by session
 */
export function createPersonTasks(networks: Promise<Networks>, sessions: Map<number, ReadSubject>) {
  /** A photo is given back while its person is cut out, so that this can't be done twice. */
  const takeSubject = (session: number): ReadSubject => {
    const subject = subjectOf(sessions, session)
    sessions.delete(session)
    return subject
  }
  return {
    /** Undefined where the photo lacks one of the faces. */
    async read({ session, photo, faceIndexes, kept, keeps }: ReadRequest) {
      const subject = kept
        ? await reopenReading(kept, photo)
        : await readSubject(await networks, photo, faceIndexes)
      if (!subject) return undefined
      sessions.set(session, subject)
      return { reading: resultOf(subject), kept: keeps ? keepReading(subject) : undefined }
    },
    /** Reads a photo whose session is opened later, perhaps; undefined where it can't be used. */
    async readAhead({ photo, faceIndexes }: PhotoRequest): Promise<KeptReading | undefined> {
      const subject = await readSubject(await networks, photo, faceIndexes)
      if (!subject || subject.refusals.length > 0) return undefined
      const background = subject.matte ? undefined : emptyBackground(subject)
      const kept = { ...keepReading(subject), background }
      releaseMemory(...subject.photo.levels.map((level) => level.data), subject.matte?.data)
      return kept
    },
    /** Makes the background without people ready for `cutLayer`. */
    emptyAhead({ session }: { session: number }) {
      const subject = sessions.get(session)
      if (!subject || subject.background) return
      sessions.set(session, { ...subject, background: emptyBackground(subject) })
    },
    cut: (request: CutRequest) => cut(takeSubject(request.session), request),
    async cutLayer({ session, place, frame, withBackground }: CutLayerRequest) {
      const subject = takeSubject(session)
      const background = withBackground
        ? (subject.background ?? emptyBackground(subject))
        : undefined
      await cutLayer(subject, place, frame)
      return background
    },
  }
}

function subjectOf(sessions: Map<number, ReadSubject>, session: number): ReadSubject {
  const subject = sessions.get(session)
  if (!subject) throw new Error('The photo of this session is gone')
  return subject
}

function resultOf(subject: ReadSubject): ReadResult {
  const { width, height } = subject.photo.levels[0]!
  return {
    refusals: subject.refusals,
    head: subject.head,
    heads: subject.heads,
    silhouette: subject.silhouette,
    light: subject.light,
    width,
    height,
  }
}

/**
 * Draws a person into their frame; the subject must not be used any more.
 * @returns what a scene does to the people, where one was drawn
 */
async function cut(subject: ReadSubject, request: CutRequest): Promise<Gain | undefined> {
  const { toPicture, frame } = request
  const gain = request.background && (await makeBackground(subject, request, request.background))
  await cutOutPerson(subject, toPicture, frame)
  const { heads } = subject
  const photo = { head: subject.head, heads, ...subject.silhouette.photo }
  mendBorders(frame, photo, toPicture, request.mends)
  if (request.stretch) stretchBody(frame, request.stretch)
  const { crops, people, person } = subject
  releaseMemory(...crops.map((crop) => crop.matte.data), people.data, person.data)
  return gain
}

/** @returns what a scene does to the people, where one was drawn */
async function makeBackground(
  subject: ReadSubject,
  { toPicture, frame }: CutRequest,
  { view, planes: target }: NonNullable<CutRequest['background']>,
): Promise<Gain | undefined> {
  const [{ width, height }] = target
  if (view === 'own') {
    fillPlanes(target, ownBackground(subject, toPicture, { width, height }, frame.image))
    return undefined
  }
  const { planes, gain } = await drawScene(view, width, height)
  fillPlanes(target, planes)
  return gain
}
