import { Writable } from 'node:stream'
import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { foldRepeats } from './fold-repeats.ts'

let lines: { msg: string; repeated?: number; queue?: string }[]
let log: pino.Logger
beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()))
      done()
    },
  })
  log = pino({ hooks: { logMethod: foldRepeats() } }, sink)
})
afterEach(() => {
  vi.useRealTimers()
})

const refused = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

test('a failure that comes 727 times in a minute is two lines, the second with the count', () => {
  for (let time = 0; time < 727; time += 1) log.error({ err: refused() }, 'job queue failed')
  expect(lines.map(({ msg, repeated }) => [msg, repeated])).toEqual([
    ['job queue failed', undefined],
  ])
  vi.advanceTimersByTime(60_000)
  expect(lines.map(({ msg, repeated }) => [msg, repeated])).toEqual([
    ['job queue failed', undefined],
    ['job queue failed', 726],
  ])
})

test('children of the log fold together, and keep their own fields', () => {
  log.child({ reqId: 'a' }).warn('not ready')
  log.child({ reqId: 'b' }).warn('not ready')
  vi.advanceTimersByTime(60_000)
  expect(lines).toMatchObject([{ reqId: 'a' }, { reqId: 'b', repeated: 1 }])
})

test('other sentences, other causes and later minutes are written', () => {
  log.error({ err: refused() }, 'job queue failed')
  log.error({ err: new Error('relation missing') }, 'job queue failed')
  log.error({ err: refused() }, 'the engine was lost')
  vi.advanceTimersByTime(60_000)
  log.error({ err: refused() }, 'job queue failed')
  expect(lines).toHaveLength(4)
})

test('what is no warning, and every failed request, is written each time', () => {
  for (let time = 0; time < 3; time += 1) {
    log.info('request')
    log.error({ err: new Error('a bug') }, 'request failed')
  }
  expect(lines).toHaveLength(6)
})
