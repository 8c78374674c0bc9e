import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'

const read = (settings: Record<string, string>) =>
  readConfig({ NODE_ENV: 'test', PUBLIC_URL: 'https://selfie.example', ...settings }).images

test('without a setting the compositor makes the pictures, and nothing leaves the machine', () => {
  const images = read({})
  expect(images.chain).toEqual([{ provider: 'compositor', model: '', name: 'compositor' }])
  expect(images.vendors).toEqual({})
})

test('a chain is read with models that have colons and slashes in their names', () => {
  const images = read({
    IMAGE_PROVIDERS: ' fal:google/nano-banana-2.1/edit, openai:library/flux:4b ,compositor',
    FAL_KEY: 'k',
    OPENAI_BASE_URL: 'http://gpu:8000/v1/',
    IMAGE_DAILY_SPEND_MAX_USD: '2.5',
    IMAGE_PRICES_USD: '{"openai:library/flux:4b": 0.01}',
  })
  expect(images.chain.map(({ provider, model }) => [provider, model])).toEqual([
    ['fal', 'google/nano-banana-2.1/edit'],
    ['openai', 'library/flux:4b'],
    ['compositor', ''],
  ])
  expect(images.vendors.openai?.photosGoTo).toBe('http://gpu:8000/v1')
  expect(images.dailySpendMaxMicroUsd).toBe(2_500_000)
  expect(images.prices).toEqual({ 'openai:library/flux:4b': 10_000 })
  expect(images.failsOverOn).toEqual([
    'provider_busy',
    'provider_down',
    'timeout',
    'likeness_lost',
    'unknown',
  ])
})

test('people are compared to their photos unless that is switched off', () => {
  expect(read({}).likenessCheck).toBe(true)
  expect(read({ LIKENESS_CHECK: 'off' }).likenessCheck).toBe(false)
})

test('times are given in seconds; of a request that was lost is known after a minute at most', () => {
  const images = read({
    IMAGE_TIMEOUT_SECONDS: '90',
    IMAGE_TURN_TIMEOUT_SECONDS: '45',
    IMAGE_CIRCUIT_OPEN_SECONDS: '30',
  })
  expect(images).toMatchObject({
    attemptTimeoutMs: 90_000,
    slotTimeoutMs: 45_000,
    submitUnknownMs: 60_000,
    circuitOpenMs: 30_000,
  })
  expect(read({ IMAGE_TIMEOUT_SECONDS: '40' }).submitUnknownMs).toBe(40_000)
  expect(images.dailySpendMaxMicroUsd, 'no limit').toBeUndefined()
})

test('what another provider is asked after is a list, which may be none', () => {
  const words = (text: string) => read({ IMAGE_FAILOVER_ON: text }).failsOverOn
  expect(words(' timeout , unknown,')).toEqual(['timeout', 'unknown'])
  expect(words('none')).toEqual([])
})

test('a vendor that is set up can be asked for, also outside the chain', () => {
  const { configureVendor } = read({ OPENAI_API_KEY: 'k' })
  expect(configureVendor('openai')?.photosGoTo).toBe('https://api.openai.com/v1')
  expect(configureVendor('fal')).toBeUndefined()
})

test('webhooks are asked for where a vendor can reach us', () => {
  const base = (settings: Record<string, string>) => read(settings).webhookBaseUrl
  expect(base({})).toBe('https://selfie.example')
  expect(base({ PUBLIC_URL: 'http://localhost:3000' })).toBeUndefined()
  expect(base({ IMAGE_WEBHOOK_URL: 'none' })).toBeUndefined()
  expect(base({ IMAGE_WEBHOOK_URL: 'https://hooks.example/' })).toBe('https://hooks.example')
})

test.for<[Record<string, string>, RegExp]>([
  [{ IMAGE_PROVIDERS: 'dalle' }, /IMAGE_PROVIDERS has 'dalle'\. Accepted are/],
  [{ IMAGE_PROVIDERS: 'fal' }, /has 'fal'/],
  [{ IMAGE_PROVIDERS: 'fal:' }, /has 'fal:'/],
  [{ IMAGE_PROVIDERS: 'dalle:3' }, /has 'dalle:3'/],
  [{ IMAGE_PROVIDERS: 'compositor:x' }, /has 'compositor:x'/],
  [{ IMAGE_PROVIDERS: ' , ' }, /names no provider/],
  [{ IMAGE_PROVIDERS: 'compositor,compositor' }, /twice/],
  [{ IMAGE_PROVIDERS: 'compositor+compositor' }, /Accepted are/],
  [{ IMAGE_PROVIDERS: 'fal:a/b' }, /FAL_KEY is missing/],
  [{ IMAGE_PROVIDERS: 'sdcpp:a' }, /names sdcpp, but SDCPP_BASE_URL is missing/],
  [{ IMAGE_PROVIDERS: 'openai:x' }, /OPENAI_API_KEY/],
  [{ IMAGE_FAILOVER_ON: 'everything' }, /IMAGE_FAILOVER_ON has 'everything'/],
  [
    { IMAGE_PROVIDERS: 'openai:x', OPENAI_API_KEY: 'k', OPENAI_EXTRA_JSON: '{"a": {}}' },
    /OPENAI_EXTRA_JSON must be a JSON object/,
  ],
])('%j is refused with a sentence', ([settings, sentence]) => {
  expect(() => read(settings)).toThrow(sentence)
})

test('a model that nobody has verified is used only when the operator vouches for it', async () => {
  const settings = {
    IMAGE_PROVIDERS: 'fal:fal-ai/nano-banana-2-lite/edit',
    FAL_KEY: 'k',
  }
  expect(() => read(settings)).toThrow(/was not verified.*IMAGE_MODELS_FILE/)
  await using folder = await mkdtempDisposable(join(tmpdir(), 'starside-models-'))
  const file = join(folder.path, 'models.json')
  const seen = { on: '2026-12-01', source: 'its page' }
  const entry = { provider: 'fal', model: 'fal-ai/nano-banana-2-lite/edit', seen }
  await writeFile(file, JSON.stringify([entry]))
  const { models } = read({ ...settings, IMAGE_MODELS_FILE: file })
  expect(models.find('fal', entry.model).seen).toEqual(seen)
  await writeFile(file, JSON.stringify([{ ...entry, photosMax: 1, colour: 'red' }]))
  expect(() => read({ ...settings, IMAGE_MODELS_FILE: file })).toThrow(
    /models\.json:\n {2}entry 1: photosMax.*\n {2}entry 1: .*colour/,
  )
  expect(() => read({ IMAGE_MODELS_FILE: join(folder.path, 'none') })).toThrow(/can’t be read/)
})
