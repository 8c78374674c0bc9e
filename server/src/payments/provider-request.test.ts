import { expect, onTestFinished, test, vi } from 'vitest'
import { requestProvider } from './provider-request.ts'
import { PaymentProviderError } from './provider.ts'

function request(answer: Response, body?: object) {
  const calls: RequestInit[] = []
  const asked = requestProvider(
    {
      provider: 'The provider',
      fetch: async (_url, init) => {
        calls.push(init ?? {})
        return answer
      },
    },
    'https://pay.example/x',
    {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': 'key' },
      signal: new AbortController().signal,
      ...(body === undefined ? {} : { body }),
    },
  )
  return { calls, asked }
}

test.each([500, 503, 408, 429])('an answer of %i may be asked for again', async (status) => {
  await expect(request(Response.json({}, { status })).asked).rejects.toMatchObject({
    message: `The provider answered ${status}`,
  })
})

test.each([200, 400, 404, 499])('an answer of %i is the caller’s to judge', async (status) => {
  expect(await request(Response.json({ a: 1 }, { status })).asked).toEqual({
    status,
    body: { a: 1 },
  })
})

test('an answer that is no JSON has no body', async () => {
  expect(await request(new Response('<html>')).asked).toEqual({ status: 200, body: undefined })
})

test('a body is sent as JSON, none without one', async () => {
  const withBody = request(Response.json({}), { price: 1 })
  await withBody.asked
  expect(withBody.calls[0]).toMatchObject({
    method: 'POST',
    redirect: 'error',
    body: '{"price":1}',
    headers: { 'content-type': 'application/json', 'x-api-key': 'key' },
  })
  const without = request(Response.json({}))
  await without.asked
  expect(without.calls[0]).not.toHaveProperty('body')
  expect(without.calls[0]?.headers).toEqual({ accept: 'application/json', 'x-api-key': 'key' })
})

test('an answer of up to a mebibyte is read, more isn’t', async () => {
  const text = (bytes: number) => new Response(JSON.stringify('x'.repeat(bytes - 2)))
  expect((await request(text(1024 * 1024)).asked).body).toHaveLength(1024 * 1024 - 2)
  await expect(request(text(1024 * 1024 + 1)).asked).rejects.toBeInstanceOf(PaymentProviderError)
})

test.each(['the time of a call is over', 'whoever asked gives up'])(
  'a call whose answer does not come ends when %s',
  async (ending) => {
    const timeUp = new AbortController()
    const givenUp = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeUp.signal)
    onTestFinished(() => timeout.mockRestore())
    const asked = requestProvider(
      {
        provider: 'The provider',
        fetch: (_url, init) =>
          new Promise((_resolve, reject) => {
            init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
          }),
      },
      'https://pay.example/x',
      { method: 'GET', headers: {}, signal: givenUp.signal },
    )
    const refused = expect(asked).rejects.toBeInstanceOf(PaymentProviderError)
    ;(ending.startsWith('the time') ? timeUp : givenUp).abort()
    await refused
    expect(timeout).toHaveBeenCalledWith(10_000)
  },
)
