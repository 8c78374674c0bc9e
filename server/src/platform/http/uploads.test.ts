import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createUploads } from './uploads.ts'
import type { UploadLimits } from './uploads.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const kilobyte = 1_000
const megabyte = 1_000_000

function open(limits: Partial<UploadLimits> = {}) {
  const uploads = createUploads({ bytesMax: 100 * megabyte, perNetworkMax: 10, ...limits })
  return {
    /** Begins a form, which is answered by its length once it has come and `use` has ended. */
    begin(network: string, use: () => Promise<void> = async () => {}) {
      const raw = new PassThrough()
      const headers: Record<string, string> = {}
      const request = { ip: network, raw } as unknown as FastifyRequest
      const reply = {
        header: (name: string, value: string) => (headers[name] = value),
      } as unknown as FastifyReply
      const read = async () => {
        let length = 0
        for await (const chunk of raw) length += (chunk as Buffer).length
        return length
      }
      const answer = uploads.receive({ request, reply }, read, async (length) => {
        await use()
        return length
      })
      answer.catch(() => undefined)
      return {
        answer,
        headers,
        /** Resolves when what was sent has been counted. */
        async send(bytes: number) {
          await new Promise((resolve) => raw.write(Buffer.alloc(bytes), resolve))
          await new Promise((resolve) => setImmediate(resolve))
        },
        end: () => raw.end(),
      }
    },
  }
}
type Begun = ReturnType<ReturnType<typeof open>['begin']>

/** Lets seconds pass in which each of these sends so many bytes a second. */
async function pass(seconds: number, senders: [Begun, number][] = []) {
  for (let second = 0; second < seconds; second += 1) {
    for (const [form, bytes] of senders) await form.send(bytes)
    vi.advanceTimersByTime(1_000)
  }
}
const stateOf = async ({ answer }: Begun) =>
  Promise.race([
    answer.catch((error: { code: string }) => error.code),
    new Promise((resolve) => setImmediate(resolve, 'open')),
  ])

describe('a form', () => {
  test('that comes at the least rate is read, however long that takes', async () => {
    const { begin } = open()
    const form = begin('192.0.2.1')
    await pass(60, [[form, 20 * kilobyte]])
    form.end()
    expect(await form.answer).toBe(1_200 * kilobyte)
    expect(form.headers).toEqual({})
  })

  test('that comes more slowly is given up with its connection', async () => {
    const { begin } = open()
    const form = begin('192.0.2.1')
    await pass(60, [[form, 15 * kilobyte]])
    await expect(form.answer).rejects.toMatchObject({ code: 'upload_too_slow' })
    expect(form.headers).toEqual({ connection: 'close' })
  })

  test('may stand still for five seconds, also after much has come at once', async () => {
    const { begin } = open()
    const form = begin('192.0.2.1')
    await form.send(10 * megabyte)
    await pass(5)
    expect(await stateOf(form)).toBe('open')
    await form.send(kilobyte)
    await pass(1)
    expect(await stateOf(form)).toBe('upload_too_slow')
  })

  test('is not late once it has come, whatever becomes of it', async () => {
    const { begin } = open()
    const go = Promise.withResolvers<void>()
    const isRead = Promise.withResolvers<void>()
    const form = begin('192.0.2.1', () => {
      isRead.resolve()
      return go.promise
    })
    await form.send(kilobyte)
    form.end()
    await isRead.promise
    await pass(60)
    expect(await stateOf(form)).toBe('open')
    go.resolve()
    expect(await form.answer).toBe(kilobyte)
  })

  test('of a connection that has ended is not waited for', async () => {
    const uploads = createUploads({ bytesMax: megabyte, perNetworkMax: 1 })
    const raw = new PassThrough().destroy()
    const call = { request: { ip: '192.0.2.1', raw }, reply: {} } as never
    const read = () => new Promise<never>(() => {})
    const answer = uploads.receive(call, read, async () => {})
    await expect(answer).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('a network with as many forms as it may have', () => {
  test('is refused another one, while others are not', async () => {
    const { begin } = open({ perNetworkMax: 2 })
    const forms = [begin('192.0.2.1'), begin('192.0.2.1')]
    const tooMany = { code: 'too_many_requests', retryAfterSeconds: 5 }
    await expect(begin('192.0.2.1').answer).rejects.toMatchObject(tooMany)
    const other = begin('192.0.2.2')
    for (const form of [...forms, other]) form.end()
    expect(await Promise.all([...forms, other].map(({ answer }) => answer))).toEqual([0, 0, 0])
    const next = begin('192.0.2.1')
    next.end()
    expect(await next.answer).toBe(0)
  })

  test('has its slowest given up for it, which no form is within its first seconds', async () => {
    const { begin } = open({ perNetworkMax: 2 })
    const [slow, fast] = [begin('192.0.2.1'), begin('192.0.2.1')]
    const rates: [Begun, number][] = [
      [slow, 21 * kilobyte],
      [fast, 300 * kilobyte],
    ]
    await pass(5, rates)
    const next = begin('192.0.2.1')
    expect([await stateOf(slow), await stateOf(fast)]).toEqual(['upload_too_slow', 'open'])
    for (const form of [fast, next]) form.end()
    expect(await Promise.all([fast.answer, next.answer])).toEqual([1_500 * kilobyte, 0])
  })
})

describe('the memory of all forms', () => {
  test('is a network’s to a quarter', async () => {
    const { begin } = open({ bytesMax: 8 * megabyte })
    const form = begin('192.0.2.1')
    await form.send(megabyte)
    expect(await stateOf(form)).toBe('open')
    await form.send(megabyte)
    const tooMany = { code: 'too_many_requests', retryAfterSeconds: 5 }
    await expect(form.answer).rejects.toMatchObject(tooMany)
  })

  test('is counted of all of a network’s forms together', async () => {
    const { begin } = open({ bytesMax: 8 * megabyte })
    const own = ['1', '2', '3', '4'].map(() => begin('192.0.2.1'))
    const other = begin('192.0.2.2')
    for (const form of [...own, other]) await form.send(500 * kilobyte)
    const states = await Promise.all([...own, other].map(stateOf))
    expect(states).toEqual(['open', 'open', 'open', 'too_many_requests', 'open'])
  })

  test('is taken up by small pieces sooner than by large ones', async () => {
    const { begin } = open({ bytesMax: 8 * megabyte })
    const form = begin('192.0.2.1')
    for (let sent = 0; sent < 8 * kilobyte; sent += 1) await form.send(1)
    await expect(form.answer).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  test('is free for others once it is full: the network with most of it gives its largest form up', async () => {
    const { begin } = open({ bytesMax: 4 * megabyte })
    const forms = ['1', '2', '3', '4'].map((host) => begin(`192.0.2.${host}`))
    for (const [index, form] of forms.entries()) await form.send(900 * kilobyte + index * kilobyte)
    const other = begin('198.51.100.1')
    await other.send(100 * kilobyte)
    expect(await Promise.all([...forms, other].map(stateOf))).toEqual([
      'open',
      'open',
      'open',
      'unavailable',
      'open',
    ])
    await expect(forms[3]?.answer).rejects.toMatchObject({ retryAfterSeconds: 5 })
    other.end()
    expect(await other.answer).toBe(100 * kilobyte)
  })

  test('is taken by forms that are still needed, and free again after them', async () => {
    const { begin } = open({ bytesMax: 4 * megabyte })
    const go = Promise.withResolvers<void>()
    const forms = ['1', '2', '3', '4'].map((host) => begin(`192.0.2.${host}`, () => go.promise))
    for (const form of forms) {
      await form.send(930 * kilobyte)
      form.end()
    }
    // Read to its end: nothing of it can be given up any more.
    await new Promise((resolve) => setImmediate(resolve))
    const refused = begin('198.51.100.1')
    await refused.send(300 * kilobyte)
    expect(await stateOf(refused)).toBe('unavailable')
    go.resolve()
    await Promise.all(forms.map(({ answer }) => answer))
    const taken = begin('198.51.100.1')
    await taken.send(300 * kilobyte)
    taken.end()
    expect(await taken.answer).toBe(300 * kilobyte)
  })
})
