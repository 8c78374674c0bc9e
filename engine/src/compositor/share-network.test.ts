import { MessageChannel } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { shareNetwork } from './share-network.ts'

const channels: MessageChannel[] = []
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close()
})

/** The networks of two threads, which answer with their own number and the input. */
function openPair(run: (own: number) => Promise<void>) {
  const channel = new MessageChannel()
  channels.push(channel)
  const { promise: offered, resolve } = Promise.withResolvers<() => Promise<void>>()
  const network = (own: number) => ({
    inputShape: [1],
    async run(input: Float32Array) {
      await run(own)
      return [Float32Array.of(own, ...input)]
    },
  })
  shareNetwork(network(2), channel.port2, resolve)
  const { runTwo } = shareNetwork(network(1), channel.port1, () => {})
  const answers = runTwo!(Float32Array.of(7), Float32Array.of(8))
  return { answers, offered, channel }
}

const answersOf = (thread: number) => [[Float32Array.of(1, 7)], [Float32Array.of(thread, 8)]]

describe('a network that two threads share', () => {
  it('has the second input run by the other thread where that is idle', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { answers, offered } = openPair(async (own) => {
      if (own === 2) begin()
      else await begun
    })
    await (
      await offered
    )()
    expect(await answers).toEqual(answersOf(2))
  })

  it('runs it itself while the other thread works, which then does nothing', async () => {
    let othersRuns = 0
    const { answers, offered } = openPair(async (own) => {
      if (own === 2) othersRuns++
    })
    expect(await answers).toEqual(answersOf(1))
    await (
      await offered
    )()
    expect(othersRuns).toBe(0)
  })

  it('runs it itself where the other thread fails or ends', async () => {
    for (const isEnd of [false, true]) {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      let runs = 0
      const { answers, offered, channel } = openPair(async (own) => {
        if (own === 1) return runs++ === 0 ? await begun : undefined
        begin()
        if (isEnd) await ended
        else throw new Error('broken')
      })
      const work = (await offered)()
      if (isEnd) channel.port2.close()
      expect(await answers).toEqual(answersOf(1))
      end()
      await work
    }
  })
})
