import { expect, it, vi } from 'vitest'
import { readEventStream } from './follow-generation.ts'

/** A body that arrives in the given pieces. */
function bodyOf(
  ...pieces: (string | Uint8Array<ArrayBuffer>)[]
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) {
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
      }
      controller.close()
    },
  })
}

async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string[]> {
  const events: string[] = []
  for await (const data of readEventStream(body)) events.push(data)
  return events
}

it('gives each event once it is complete, wherever the pieces are cut', async () => {
  expect(await read(bodyOf('data: {"a"', ':1}\n', '\ndata: 2\n\n'))).toEqual(['{"a":1}', '2'])
})

it('passes over comments and other fields, and joins several data lines', async () => {
  expect(await read(bodyOf(': ping\n\nevent: x\nid: 1\ndata: a\ndata:b\r\n\r\n'))).toEqual(['a\nb'])
})

it('joins a character that was cut in two', async () => {
  const bytes = new TextEncoder().encode('data: ñ\n\n')
  expect(await read(bodyOf(bytes.slice(0, 7), bytes.slice(7)))).toEqual(['ñ'])
})

it('drops an event that was never finished', async () => {
  expect(await read(bodyOf('data: a\n\ndata: b\n'))).toEqual(['a'])
})

it('lets go of the answer when nobody reads on', async () => {
  const cancelled = vi.fn()
  const encoder = new TextEncoder()
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(encoder.encode('data: 1\n\n')),
    cancel: cancelled,
  })
  for await (const data of readEventStream(endless)) {
    expect(data).toBe('1')
    break
  }
  await expect.poll(() => cancelled.mock.calls.length).toBe(1)
})
