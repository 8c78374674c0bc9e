import { releaseMemory } from '../release-memory.ts'
import { keepReading, reopenReading } from './kept-reading.ts'
import type { KeptReading } from './kept-reading.ts'
import { cutLayer } from './layers/cut-layer.ts'
import { emptyBackground, seeBehind } from './layers/empty-background.ts'
import type { BehindPeople } from './layers/empty-background.ts'
import { readSubject } from './read-subject.ts'
import type { Networks, ReadSubject } from './read-subject.ts'
import type { CutLayerRequest, PhotoRequest, ReadRequest, ReadResult } from './thread-messages.ts'

/** What a thread does for photos of people, with its own networks and the photos under work. */
export function createPersonTasks(networks: Promise<Networks>, sessions: Map<number, ReadSubject>) {
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
    /** The background without people where that is ready, else what it is made of. */
    seeBehind({ session }: { session: number }) {
      const subject = subjectOf(sessions, session)
      return subject.background ?? seeBehind(subject)
    },
    emptyBackground({ behind }: { behind: BehindPeople }) {
      const background = emptyBackground(behind)
      releaseMemory(...behind.photo.levels.map(({ data }) => data), behind.people.data)
      return background
    },
    /** A photo is given back while its person is cut out, so that this can't be done twice. */
    async cutLayer({ session, place, frame, ...light }: CutLayerRequest) {
      const subject = subjectOf(sessions, session)
      sessions.delete(session)
      await cutLayer(subject, place, frame, light)
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
