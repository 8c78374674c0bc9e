import { SpanStatusCode, trace } from '@opentelemetry/api'
import type { Span, Tracer } from '@opentelemetry/api'
import { expect, onTestFinished, test, vi } from 'vitest'
import { inSpan } from './in-span.ts'

/** Lets spans begin that only note what becomes of them. */
function openSpan() {
  const [setAttribute, setStatus, end] = [vi.fn(), vi.fn(), vi.fn()]
  const span = { setAttribute, setStatus, end } as unknown as Span
  const startActiveSpan = (_name: string, _options: object, act: (of: Span) => unknown) => act(span)
  const getTracer = vi
    .spyOn(trace, 'getTracer')
    .mockReturnValue({ startActiveSpan } as unknown as Tracer)
  onTestFinished(() => getTracer.mockRestore())
  return { setAttribute, setStatus, end }
}

test('a span of what failed ends, marked by the kind of the failure and none of its words', async () => {
  const { setAttribute, setStatus, end } = openSpan()
  const failure = Object.assign(new Error('of ada@example.test'), { code: 'ECONNRESET' })
  await expect(inSpan('act', {}, () => Promise.reject(failure))).rejects.toBe(failure)
  expect(setAttribute.mock.calls).toEqual([['error.type', 'ECONNRESET']])
  expect(setStatus.mock.calls).toEqual([[{ code: SpanStatusCode.ERROR }]])
  expect(end).toHaveBeenCalledOnce()
})

test('a span of what went well ends without a mark', async () => {
  const { setAttribute, setStatus, end } = openSpan()
  expect(await inSpan('act', {}, async () => 'done')).toBe('done')
  expect([setAttribute.mock.calls, setStatus.mock.calls]).toEqual([[], []])
  expect(end).toHaveBeenCalledOnce()
})
