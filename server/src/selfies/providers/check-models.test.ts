import { expect, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import { HostedError } from '../../vendors/hosted-error.ts'
import type { ModelDescription } from '../../vendors/models/model-description.ts'
import { checkModels } from './check-models.ts'
import type { ModelCheck } from './check-models.ts'

const seen = { on: '2026-11-01', source: 'its page' }
const card = (model: string, more: Partial<ModelDescription> = {}): ModelDescription => ({
  provider: 'fal',
  model,
  photosMax: 2,
  promptLengthMax: 1_000,
  licence: 'its own',
  needs: 'an account',
  price: { ...seen, usd: 0.04 },
  seen,
  ...more,
})

/** Checks models of a vendor that answers a probe by the model’s name; also what was closed then. */
async function check(
  cards: readonly ModelDescription[],
  probes: Record<string, (signal: AbortSignal) => Promise<string | undefined>>,
  kind: 'queued' | 'direct' = 'queued',
) {
  const { images } = readConfig({ NODE_ENV: 'test' })
  const closed: string[] = []
  const checks: ModelCheck[] = []
  const settings = {
    ...images,
    models: { ...images.models, all: cards },
    configureVendor: (name: string) =>
      name !== 'fal'
        ? undefined
        : {
            photosGoTo: '',
            openProvider: ({ card: { model } }: { card: ModelDescription }) => ({
              kind,
              probe: (signal: AbortSignal) => probes[model]?.(signal) ?? Promise.resolve(undefined),
              close: () => closed.push(model),
            }),
          },
  }
  const now = () => Date.parse('2026-11-22')
  await checkModels({ settings: settings as never, fetch, now }, (one) => checks.push(one))
  return { checks, closed }
}

test('each known model is said to answer, to fail, or not to be set up', async () => {
  const cards = [
    card('well'),
    card('gone'),
    card('broken'),
    card('other', { provider: 'google', needs: 'GOOGLE_API_KEY' }),
  ]
  const { checks, closed } = await check(cards, {
    gone: () => Promise.reject(new HostedError('provider_down', 'it is not listed')),
    broken: () => Promise.reject(new TypeError('fetch failed')),
  })
  expect(checks).toEqual([
    { name: 'fal:well', state: 'answers', detail: '$0.040  seen 2026-11-01' },
    {
      name: 'fal:gone',
      state: 'fails',
      detail: '$0.040  seen 2026-11-01  provider_down: it is not listed',
    },
    { name: 'fal:broken', state: 'fails', detail: '$0.040  seen 2026-11-01  no answer' },
    {
      name: 'google:other',
      state: 'not set up',
      detail: '$0.040  seen 2026-11-01  needs GOOGLE_API_KEY',
    },
  ])
  expect(closed, 'whatever came of it').toEqual(['well', 'gone', 'broken'])
})

test('a model without a queue keeps nothing open', async () => {
  const { checks, closed } = await check([card('direct')], {}, 'direct')
  expect([checks[0]?.state, closed]).toEqual(['answers', []])
})

test('a vendor has twenty seconds to answer', async () => {
  vi.useFakeTimers()
  // Node's own isn't moved by the clock of a test.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const end = new AbortController()
    setTimeout(() => end.abort(new DOMException('late', 'TimeoutError')), ms)
    return end.signal
  })
  const answerAfter = (ms: number) => (signal: AbortSignal) =>
    new Promise<undefined>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      setTimeout(resolve, ms)
    })
  const cards = [card('slow'), card('silent')]
  const checked = check(cards, { slow: answerAfter(19_999), silent: answerAfter(20_001) })
  await vi.advanceTimersByTimeAsync(60_000)
  const { checks } = await checked
  timeout.mockRestore()
  vi.useRealTimers()
  expect(checks.map(({ state }) => state)).toEqual(['answers', 'fails'])
})

test('an old price, and a name that nobody has seen, are told', async () => {
  const price = { on: '2026-08-23', source: 'its page', usd: 0.25 }
  const cards = [
    card('old', { price }),
    card('new', { price: { ...price, on: '2026-08-24' }, seen: undefined }),
    card('own', { price: undefined }),
  ]
  const { checks } = await check(cards, {})
  expect(checks.map(({ detail }) => detail)).toEqual([
    '$0.250  OLD PRICE of 2026-08-23  seen 2026-11-01',
    '$0.250  NOT VERIFIED',
    '$0.000  seen 2026-11-01',
  ])
})

test('a model’s end is what its vendor announces, else what was known of it', async () => {
  const cards = [
    card('announced', { retires: '2027-01-01' }),
    card('known', { retires: '2027-02-02' }),
  ]
  const { checks } = await check(cards, { announced: () => Promise.resolve('2027-03-03') })
  expect(checks.map(({ detail }) => detail.split('  ').at(-1))).toEqual([
    'RETIRES 2027-03-03',
    'RETIRES 2027-02-02',
  ])
})
