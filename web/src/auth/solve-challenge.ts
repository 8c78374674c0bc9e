import { askWorker } from '../ui/ask-worker.ts'
// oxlint-disable-next-line import/default -- Vite makes the address out of the suffix.
import workerAddress from './find-proof-worker.ts?worker&url'

/** Solves a challenge in a worker, which takes about a second. Throws where none can be started. */
export function solveChallenge(challenge: string): Promise<string> {
  return askWorker(workerAddress, challenge)
}
