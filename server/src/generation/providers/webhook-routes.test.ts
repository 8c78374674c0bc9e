import fastify from 'fastify'
import { beforeEach, expect, test, vi } from 'vitest'
import { receiveFalWebhook } from './receive-webhook.ts'
import { imageWebhookRoutes } from './webhook-routes.ts'
import { falWebhookPath } from './webhook-url.ts'

vi.mock(import('./receive-webhook.ts'), { spy: true })

beforeEach(() => {
  vi.mocked(receiveFalWebhook).mockReset()
  vi.mocked(receiveFalWebhook).mockResolvedValue()
})

async function post(query: string, payload?: string) {
  const app = fastify()
  await app.register(imageWebhookRoutes, { context: {} as never })
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: `${falWebhookPath}${query}`,
    headers: { 'content-type': 'application/json' },
    ...(payload === undefined ? {} : { payload }),
  })
  const [call] = vi.mocked(receiveFalWebhook).mock.calls
  const { attemptId, token, rawBody } = call?.[1] ?? {}
  const received = [attemptId, token, rawBody && Buffer.from(rawBody).toString()]
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
  vi.mocked(receiveFalWebhook).mockClear()
  expect((await post('', ' '.repeat(1024 * 1024 + 1))).statusCode).toBe(413)
  expect(receiveFalWebhook).not.toHaveBeenCalled()
})
