import type { NormalisedPhoto } from '../image-provider.ts'
import { PhotoError } from '../photo/photo-error.ts'
import type { CompositorThread } from './compositor-threads.ts'
import type { KeptReading } from './kept-reading.ts'
import type { EmptyBackground } from './layers/empty-background.ts'
import type { CutLayerRequest, ReadResult } from './thread-messages.ts'
import type { PhotoRole } from '../photo/photo-error.ts'

/** The photo of one person or of several who stay together, kept by one thread from `read` to `drop`. */
export interface PersonSession {
  /**
   * Finds out all about the people.
   * @param faceIndexes at least one, none twice
   * @param about.kept what was found out before, which is taken instead
   * @param about.keeps whether what is found out is to be kept
   * @throws PhotoError where the photo can't be used
   */
  read(
    photo: NormalisedPhoto,
    faceIndexes: readonly number[],
    about?: {
      kept?: KeptReading | undefined
      keeps?: boolean
      signal?: AbortSignal | undefined
    },
  ): Promise<{ reading: ReadResult; kept: KeptReading | undefined }>
  readonly thread: CompositorThread
  /** Takes everybody out of what is behind them, by the thread of any session. */
  emptyBackground(by: PersonSession, signal?: AbortSignal): Promise<EmptyBackground>
  /** Cuts the person out into a layer, for pictures of any arrangement. */
  cutLayer(request: Omit<CutLayerRequest, 'session'>): Promise<void>
  /** Frees what the thread keeps, also while it still works. */
  drop(): void
}

/**
 * @param session a number that no other session of the thread has
 * @param role whose photo an error is about
 */
export function openPersonSession(
  thread: CompositorThread,
  session: number,
  role?: PhotoRole,
): PersonSession {
  return {
    thread,
    async read(photo, faceIndexes, { kept, keeps = false, signal } = {}) {
      const about = { photo, faceIndexes, kept, keeps }
      const read = await thread.ask({ kind: 'read', session, ...about }, signal)
      if (!read) throw new PhotoError('face_missing', role)
      const refusal = read.reading.refusals[0]
      if (refusal) throw new PhotoError(refusal, role)
      return read
    },
    async emptyBackground(by, signal) {
      const behind = await thread.ask({ kind: 'seeBehind', session }, signal)
      if ('known' in behind) return behind
      return await by.thread.ask({ kind: 'emptyBackground', behind }, signal)
    },
    cutLayer(request) {
      return thread.ask({ ...request, kind: 'cutLayer', session })
    },
    drop() {
      thread.ask({ kind: 'drop', session }).catch(() => {})
    },
  }
}
