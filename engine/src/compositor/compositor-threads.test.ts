import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { normalisePhoto } from '../photo/normalise.ts'
import { startThreads } from './compositor-threads.ts'
import type { CompositorThread } from './compositor-threads.ts'
import { createFrame } from './shared-frames.ts'

let threads: CompositorThread[]

/** Cuts a small layer out of a session's photo. */
const cutOf = (session: number) =>
  ({
    kind: 'cutLayer',
    session,
    place: { left: 0, top: 0, scale: 0.1 },
    frame: createFrame(64, 64),
  }) as const

beforeAll(async () => {
  threads = await startThreads(1)
})

afterAll(() => Promise.all(threads.map((thread) => thread.close())))

describe('a compositor thread', () => {
  const nothing = cutOf(99)

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

describe('a thread that runs on demand', () => {
  afterEach(() => vi.useRealTimers())

  it('keeps its photos while it is used, gives all back when it was idle, and starts again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const [thread] = await startThreads(0, 1)
    const file = new URL('../../fixtures/user-1.jpg', import.meta.url)
    const photo = await normalisePhoto(await readFile(file))
    const unread = { faceIndexes: [0], kept: undefined, keeps: false }
    const read = () => thread!.ask({ kind: 'read', session: 1, photo, ...unread })
    const cut = () => thread!.ask(cutOf(1))
    await read()
    vi.advanceTimersByTime(59_999)
    await cut()
    await read()
    vi.advanceTimersByTime(60_000)
    await expect(cut()).rejects.toThrow('The photo of this session is gone')
    await read()
    await cut()
    await thread!.close()
  })
})
