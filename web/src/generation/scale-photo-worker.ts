import { scalePhoto, type ScaledPhoto } from './scale-photo.ts'

/** What the worker is asked: a photo, and its longer side at most. */
export type WorkerQuestion = Parameters<typeof scalePhoto>

/** What the worker answers to one photo. */
export type WorkerAnswer = { photo: ScaledPhoto } | { failure: string }

addEventListener('message', (event: MessageEvent<WorkerQuestion>) => {
  scalePhoto(...event.data).then(
    (photo) => postMessage({ photo } satisfies WorkerAnswer),
    (error: unknown) => postMessage({ failure: String(error) } satisfies WorkerAnswer),
  )
})
