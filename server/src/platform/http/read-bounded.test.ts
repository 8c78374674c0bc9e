import { expect, test } from 'vitest'
import { BodyTooLargeError, readBounded } from './read-bounded.ts'

/** An answer in pieces of three bytes that doesn't say how long it is; tells whether it was closed early. */
function answerOf(pieces: number) {
  let isClosed = false
  let left = pieces
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left === 0) return controller.close()
      left -= 1
      controller.enqueue(Uint8Array.of(1, 2, 3))
    },
    cancel() {
      isClosed = true
    },
  })
  return { response: new Response(body), isClosed: () => isClosed }
}

test('a body in pieces is read up to its limit, and closed beyond it', async () => {
  expect(await readBounded(answerOf(3).response, 9)).toHaveLength(9)
  const endless = answerOf(1_000)
  await expect(readBounded(endless.response, 8)).rejects.toThrow(BodyTooLargeError)
  expect(endless.isClosed()).toBe(true)
})

test('a body that says that it is too long is not read', async () => {
  const { response, isClosed } = answerOf(1_000)
  response.headers.set('content-length', '9')
  await expect(readBounded(response, 8)).rejects.toThrow('a body of 9 bytes, of 8 at most')
  expect(isClosed()).toBe(true)
})

test('a body that says that it is as long as it may be is read', async () => {
  const { response } = answerOf(3)
  response.headers.set('content-length', '9')
  expect(await readBounded(response, 9)).toHaveLength(9)
})

test('an answer without a body has no bytes', async () => {
  expect(await readBounded(new Response(null, { status: 204 }), 8)).toHaveLength(0)
})
