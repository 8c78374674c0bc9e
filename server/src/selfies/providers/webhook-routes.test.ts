import fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import type { receiveFalWebhook } from './image-webhooks.ts'
import { imageWebhookRoutes, falWebhookPath } from './image-webhooks.ts'

async function post(query: string, payload?: string) {
  const app = fastify()
  const receive = vi.fn<typeof receiveFalWebhook>(async () => {})
  await app.register(imageWebhookRoutes, { context: {} as never, receive })
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: `${falWebhookPath}${query}`,
    headers: { 'content-type': 'application/json' },
    ...(payload === undefined ? {} : { payload }),
  })
  const received = receive.mock.calls.flatMap(([, { attemptId, token, rawBody }]) => [
    attemptId,
    token,
    Buffer.from(rawBody).toString(),
  ])
  return { statusCode, body, received }
}

test('a webhook is handed on as the bytes that came, with what its address says', async () => {
  const odd = '{"a" : 1e1'
  const answer = await post('?attempt=one&token=secret', odd)
  expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([200, { success: true }])
  expect(answer.received).toEqual(['one', 'secret', odd])
})

test('a webhook without anything has empty words and no bytes', async () => {
  expect((await post('')).received).toEqual(['', '', ''])
})

test('a webhook of more than a mebibyte is refused', async () => {
  const fits = await post('', ' '.repeat(1024 * 1024))
  expect(fits.statusCode).toBe(200)
  const tooLong = await post('', ' '.repeat(1024 * 1024 + 1))
  expect([tooLong.statusCode, tooLong.received]).toEqual([413, []])
})
