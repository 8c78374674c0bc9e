import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { openCatalogue } from '../../vendors/models/model-catalogue.ts'
import { openCard, openImageModels } from './image-models.ts'

const nano = 'fal:google/nano-banana-2.1/edit'
const waitingTimes = { expectedMs: () => 4_200, close() {} }

function open(chain: string, fetchOf: typeof fetch = fetch) {
  const { images: settings } = readConfig({
    NODE_ENV: 'test',
    IMAGE_PROVIDERS: chain,
    FAL_KEY: 'key',
    OPENAI_API_KEY: 'key',
    COMFYUI_BASE_URL: 'http://127.0.0.1:9',
    SDCPP_BASE_URL: 'http://127.0.0.1:8/',
    GOOGLE_API_KEY: 'key',
  })
  return openImageModels({
    settings,
    fetch: fetchOf,
    now: Date.now,
    waitingTimes,
    isFilterMissing: () => true,
  })
}

describe('the providers that are set up', () => {
  test('are found by their names and places in the chain', () => {
    const images = open(`${nano},compositor`)
    expect(images.find(nano)).toMatchObject({ name: 'fal', model: 'google/nano-banana-2.1/edit' })
    expect(images.find('compositor')).toBeUndefined()
    expect([0, 1, 2].map((position) => images.step(position)?.name)).toEqual([
      nano,
      'compositor',
      undefined,
    ])
    expect([images.hostedCount, open('compositor').hostedCount]).toEqual([1, 0])
  })

  test.each([
    ['fal', 'google/nano-banana-2.1/edit', 'https://queue.fal.run'],
    ['openai', 'gpt-image-2', 'https://api.openai.com/v1'],
    ['sdcpp', 'flux-2-klein-4b', 'http://127.0.0.1:8'],
    ['comfyui', 'flux-2-klein-4b', 'http://127.0.0.1:9'],
    ['google', 'gemini-3.1-flash-lite-image', 'https://generativelanguage.googleapis.com'],
  ] as const)('may be of %s, whose %s gets photos at %s', (name, model, url) => {
    const images = open(`${name}:${model}`)
    expect(images.find(`${name}:${model}`)).toMatchObject({ name, model })
    expect(images.settings.vendors[name]?.photosGoTo).toContain(url)
  })

  test('take as many photos as the most able one, four where the compositor makes the picture', () => {
    expect(open('comfyui:flux-2-klein-4b').photosMax).toBe(2)
    expect(open(`comfyui:flux-2-klein-4b,${nano}`).photosMax).toBe(open(nano).photosMax)
    expect(open('comfyui:flux-2-klein-4b,compositor').photosMax).toBe(4)
  })

  test('hear webhooks only where the chain has fal', () => {
    expect(open(nano).falWebhooks).toBeDefined()
    expect(open('openai:gpt-image-2,compositor').falWebhooks).toBeUndefined()
  })
})

test('parts that work on requests are closed with the providers, once', async () => {
  const images = open('compositor')
  let closed = 0
  images.attach({
    async close() {
      closed += 1
    },
  })
  await images.close()
  await images.close()
  expect(closed).toBe(1)
})

test('providers with a queue are listened to and closed, whatever others there are', async () => {
  const images = open(`comfyui:flux-2-klein-4b,${nano},openai:gpt-image-2,compositor`)
  const closed: string[] = []
  const comfyui = images.find('comfyui:flux-2-klein-4b')!
  const openai = images.find('openai:gpt-image-2')!
  const heard = new Set<string>()
  const listen = (name: string) => () => {
    heard.add(name)
    return () => heard.delete(name)
  }
  Object.assign(comfyui, { close: () => closed.push('comfyui'), listen: listen('comfyui') })
  Object.assign(images.find(nano)!, { listen: listen('fal') })
  Object.assign(openai, { close: () => closed.push('openai'), listen: () => expect.fail() })
  const end = images.listen(() => {})
  expect([...heard]).toEqual(['comfyui', 'fal'])
  end()
  expect([...heard]).toEqual([])
  await images.close()
  expect(closed).toEqual(['comfyui'])
})

test('fal’s webhooks are verified with keys that the program’s own fetch brings', async () => {
  const asked: string[] = []
  const images = open(nano, async (url) => {
    asked.push(url instanceof Request ? url.url : url.toString())
    return Response.json({ keys: [] })
  })
  const headers = {
    'x-fal-webhook-request-id': 'one',
    'x-fal-webhook-user-id': 'us',
    'x-fal-webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
    'x-fal-webhook-signature': '00'.repeat(64),
  }
  const verify = images.falWebhooks?.verify(
    headers,
    Buffer.from('{}'),
    new AbortController().signal,
  )
  expect(await verify).toBe(false)
  expect(asked[0]).toContain('/.well-known/jwks.json')
})

test('a provider is told all addresses of a host, and none of one that there isn’t', async () => {
  let resolve: ((host: string) => Promise<string[]>) | undefined
  const vendor = {
    openProvider(options: { resolveHost: typeof resolve }) {
      resolve = options.resolveHost
    },
  }
  const settings = { configureVendor: () => vendor, prices: {}, attemptTimeoutMs: 1 }
  openCard(openCatalogue().find('fal', 'google/nano-banana-2.1/edit'), {
    settings: settings as never,
    fetch,
    now: Date.now,
  })
  expect(await resolve?.('127.0.0.1')).toEqual(['127.0.0.1'])
  expect(await resolve?.('nobody.invalid')).toEqual([])
})
