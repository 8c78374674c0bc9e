import type { MessagePort } from 'node:worker_threads'
import type { Network } from '../models/litert-runtime.ts'
import { releaseMemory } from '../release-memory.ts'

/** An input that another thread may run; 1 in `taken` as soon as either of the two threads has begun. */
interface Offer {
  input: Float32Array
  taken: Int32Array
}

/**
 * A network that has an idle other thread run the second of two inputs, with the same answers.
 * @param peer leads to that thread, whose network is shared too
 * @param enqueue runs work after all that the thread was asked for before
 */
export function shareNetwork(
  network: Network,
  peer: MessagePort,
  enqueue: (work: () => Promise<void>) => void,
): Network {
  let answered: (outputs: Float32Array[] | undefined) => void = () => {}
  const help = async ({ input, taken }: Offer): Promise<void> => {
    if (Atomics.exchange(taken, 0, 1) === 0) {
      peer.postMessage(await network.run(input).catch(() => undefined))
    }
    releaseMemory(input)
  }
  peer.on('message', (message: Offer | Float32Array[] | undefined) => {
    if (message === undefined || Array.isArray(message)) answered(message)
    else enqueue(() => help(message))
  })
  peer.on('close', () => answered(undefined))
  return {
    ...network,
    async runTwo(first, second) {
      const taken = new Int32Array(new SharedArrayBuffer(4))
      const answer = new Promise<Float32Array[] | undefined>((resolve) => (answered = resolve))
      peer.postMessage({ input: second, taken } satisfies Offer)
      const outputs = await network.run(first)
      const isTaken = Atomics.exchange(taken, 0, 1) === 1
      return [outputs, (isTaken ? await answer : undefined) ?? (await network.run(second))]
    },
  }
}
