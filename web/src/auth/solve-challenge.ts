// oxlint-disable-next-line import/default -- Vite makes the address out of the suffix.
import workerAddress from './find-proof-worker.ts?worker&url'

/** Solves a challenge in a worker, which takes about a second. Throws where none can be started. */
export async function solveChallenge(challenge: string): Promise<string> {
  const worker = new Worker(workerAddress, { type: 'module' })
  try {
    return await new Promise<string>((resolve, reject) => {
      worker.addEventListener('message', (event: MessageEvent<string>) => resolve(event.data))
      worker.addEventListener('error', () => reject(new Error('The worker could not be started')))
      worker.postMessage(challenge)
    })
  } finally {
    worker.terminate()
  }
}
