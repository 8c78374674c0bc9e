import { scalePhoto } from './scale-photo.ts'

/** What the worker is asked: a photo, and its longer side at most. */
export type WorkerQuestion = Parameters<typeof scalePhoto>

addEventListener('message', (event: MessageEvent<WorkerQuestion>) => {
  // Null is the answer to what the browser cannot read.
  void scalePhoto(...event.data)
    .catch(() => null)
    .then((scaled) => postMessage(scaled))
})
