import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startThreads } from './compositor-threads.ts'
import type { CompositorThread } from './compositor-threads.ts'
import { createFramePool } from './shared-frames.ts'

let threads: CompositorThread[]

beforeAll(async () => {
  threads = await startThreads(1)
})

afterAll(() => Promise.all(threads.map((thread) => thread.close())))

describe('a compositor thread', () => {
  const nothing = {
    kind: 'cut',
    session: 99,
    toPicture: { a: 1, b: 0, tx: 0, ty: 0 },
    stretch: undefined,
    relight: undefined,
    mends: [],
    frame: createFramePool()(8, 8, 1).subjects[0]!,
    background: undefined,
  } as const

  it('tells its failures and goes on', async () => {
    await expect(threads[0]!.ask(nothing)).rejects.toThrow('The photo of this session is gone')
    await expect(threads[0]!.ask({ kind: 'drop', session: 1 })).resolves.toBeUndefined()
  })

  it('rejects at once with the reason of an aborted signal', async () => {
    const reason = new Error('enough')
    await expect(threads[0]!.ask(nothing, AbortSignal.abort(reason))).rejects.toBe(reason)
    const controller = new AbortController()
    const asked = threads[0]!.ask(nothing, controller.signal)
    controller.abort(reason)
    await expect(asked).rejects.toBe(reason)
  })

  it('refuses everything after it was closed', async () => {
    const [other] = await startThreads(1)
    await other!.close()
    await expect(other!.ask(nothing)).rejects.toThrow('closed')
  })
})
