import { createAccountMemory } from '../account-memory.ts'
import type { Owner } from '../account-memory.ts'
import type { NormalisedPhoto } from '../image-provider.ts'
import { orAborted } from '../or-aborted.ts'
import { photoDigest } from '../photo/photo-digest.ts'
import type { CompositorThread } from './compositor-threads.ts'
import type { KeptReading } from './kept-reading.ts'
import type { PersonSession } from './person-session.ts'
import type { ReadResult } from './thread-messages.ts'

/** Whose faces of which photo. */
export interface PhotoToRead {
  photo: NormalisedPhoto
  /** At least one, none twice. */
  faceIndexes: readonly number[]
  /** Who profits when the same photo is read again soon; undefined: nobody. */
  keepFor?: Owner | undefined
}

/** Reads photos, and remembers for a few minutes what it has read. */
export interface Readings {
  /** Reads a photo into a session, or takes what was kept; throws `PhotoError`. */
  read(
    session: PersonSession,
    photo: PhotoToRead,
    signal?: AbortSignal,
  ): Promise<{
    reading: ReadResult
    wasKept: boolean
    /** Whether it is kept now, so that the next reading is the same. */
    isKept: boolean
  }>
  /** Begins to read a photo that is likely to be wanted soon; a failure only means that it isn't kept. */
  readAhead(thread: CompositorThread, photo: PhotoToRead): void
  forget(account: string): void
}

/** So many photos at most are read ahead of need at a time; of more, none waits. */
const readAheadMax = 2

const bounds = { keptMs: 5 * 60_000, bytesMax: 32_000_000, bytesPerOwnerMax: 10_000_000 }

export function createReadings(): Readings {
  const memory = createAccountMemory<KeptReading>(bounds)
  let readingAhead = 0
  return {
    async read(session, { photo, faceIndexes, keepFor }, signal) {
      const key = keepFor && keyOf(photo, faceIndexes)
      const kept = key && (await orAborted(memory.find(keepFor, key), signal))
      if (kept) {
        const { reading } = await session.read(photo, faceIndexes, { kept, signal })
        return { reading, wasKept: true, isKept: true }
      }
      const about = { keeps: key !== undefined, signal }
      const { reading, kept: made } = await session.read(photo, faceIndexes, about)
      if (key) memory.keep(keepFor, key, Promise.resolve(made))
      return { reading, wasKept: false, isKept: key !== undefined }
    },
    readAhead(thread, { photo, faceIndexes, keepFor }) {
      if (!keepFor || readingAhead >= readAheadMax) return
      readingAhead++
      const key = keyOf(photo, faceIndexes)
      const work = memory.find(keepFor, key).then(async (known) => {
        if (known) return
        const made = thread.ask({ kind: 'readAhead', photo, faceIndexes })
        memory.keep(keepFor, key, made)
        await made
      })
      void work.catch(() => {}).finally(() => readingAhead--)
    },
    forget(account) {
      memory.forget(account)
    },
  }
}

/** The same for the same bytes and faces alone. */
function keyOf({ bytes, hasMatte }: NormalisedPhoto, faceIndexes: readonly number[]): string {
  return JSON.stringify([photoDigest(bytes), hasMatte, faceIndexes])
}
