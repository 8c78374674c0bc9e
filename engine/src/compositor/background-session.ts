import type { NormalisedPhoto } from '../image-provider.ts'
import type { Gain } from './blend/blend.ts'
import type { CompositorThread } from './compositor-threads.ts'
import type { DrawPlaceRequest } from './thread-messages.ts'

/** A photo of a place, kept by one thread from `read` to `drop`. */
export interface BackgroundSession {
  /** Finds out its light, and who is to be removed. It needs no face. */
  read(photo: NormalisedPhoto, signal?: AbortSignal): Promise<void>
  /** Draws its middle with nobody in it. @returns what it does to the people before it */
  draw(request: Omit<DrawPlaceRequest, 'session'>, signal?: AbortSignal): Promise<Gain>
  /** Frees what the thread keeps, also while it still works. */
  drop(): void
}

/** @param session a number that no other session of the thread has */
export function openBackgroundSession(
  thread: CompositorThread,
  session: number,
): BackgroundSession {
  return {
    read: (photo, signal) => thread.ask({ kind: 'readPlace', session, photo }, signal),
    draw: (request, signal) => thread.ask({ ...request, kind: 'drawPlace', session }, signal),
    drop() {
      thread.ask({ kind: 'drop', session }).catch(() => {})
    },
  }
}
