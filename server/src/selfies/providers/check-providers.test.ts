import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { PictureError } from '@starside/engine/photo/picture-error.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemVersion } from '../../platform/settings/system-version.ts'
import { HostedError } from '../../vendors/hosted-error.ts'
import type { HostedProvider, ImageRequest, RequestStatus } from '../../vendors/hosted-provider.ts'
import { checkProvider } from './check-providers.ts'

const photo = (name: string): NormalisedPhoto => ({
  bytes: Buffer.from(name),
  mediaType: 'image/jpeg',
  hasMatte: false,
  widthPx: 640,
  heightPx: 800,
})
const size = { widthPx: 1024, heightPx: 1280 }
const finish = { watermarkText: 'check', systemVersion }
const selfie = {
  userPhoto: photo('portrait of henrik-solmark'),
  stars: [{ photo: 'photo of elena-vassandri' }],
  aspect: '4:5',
  resolution: 'standard',
}

/** What the engine was asked for: the call's name, and what it was given. */
let asked: unknown[]
let requests: ImageRequest[]
beforeEach(() => {
  ;[asked, requests] = [[], []]
})

const engine = {
  makeSelfie: async (given: unknown) => (asked.push(['selfie', given]), size),
  async finishProviderPicture({ bytes, ...given }: { bytes: Uint8Array }) {
    const name = Buffer.from(bytes).toString()
    asked.push(['finish', name, given])
    if (name === 'broken') throw new PictureError('faces_missing')
    return size
  },
}
const presets = {
  readPortrait: async (id: string) => photo(`portrait of ${id}`),
  readPhoto: async (id: string) => `photo of ${id}`,
}

const limits = {
  name: 'fal',
  model: 'a-model',
  takesCount: true,
  priceMicroUsd: 30,
  promptLengthMax: 2_000,
  photoPixelsMax: undefined,
  photoSize: () => undefined,
}
/** A service that answers on the same connection. */
const direct = (generate: (signal: AbortSignal) => Promise<Uint8Array[]>) => ({
  ...limits,
  kind: 'direct',
  async generate(request: ImageRequest, signal: AbortSignal) {
    requests.push(request)
    return await generate(signal)
  },
})

function check(provider: object | undefined, { timeoutMs = 60_000, name = 'fal:a-model' } = {}) {
  let time = 0
  return checkProvider(
    {
      engine: engine as never,
      presets: presets as never,
      provider: provider as HostedProvider | undefined,
      settings: { picturesMax: 2, attemptTimeoutMs: timeoutMs },
      now: () => (time += 7),
    },
    { provider: 'fal', model: 'a-model', name },
  )
}

const bytes = (...names: string[]) => names.map((name) => Buffer.from(name))
const found = '1024×1280 pixels, both faces found'

test('the compositor’s trial is one selfie of two shipped stars, for nothing', async () => {
  expect(await check(undefined, { name: 'compositor' })).toEqual({
    name: 'compositor',
    isWorking: true,
    priceMicroUsd: 0,
    tookMs: 7,
    detail: found,
  })
  expect(asked).toEqual([['selfie', { ...selfie, ...finish }]])
})

test('a model’s trial is as many pictures as a selfie has, each of them finished', async () => {
  const made = await check(direct(async () => bytes('one', 'two')))
  expect(made).toEqual({
    name: 'fal:a-model',
    isWorking: true,
    priceMicroUsd: 60,
    tookMs: 7,
    detail: `${found}; ${found}`,
  })
  expect(requests).toEqual([
    {
      prompt: expect.stringMatching(/photo studio/),
      userPhoto: selfie.userPhoto,
      starPhotos: [photo('portrait of elena-vassandri')],
      backgroundPhoto: undefined,
      aspect: '4:5',
      count: 2,
    },
  ])
  const about = { headCount: 2, mayHaveOthers: false, provider: 'fal', model: 'a-model' }
  const given = { ...about, ...finish }
  expect(asked).toEqual([
    ['finish', 'one', given],
    ['finish', 'two', given],
  ])
})

describe('what went wrong', () => {
  const busy = new HostedError('provider_busy', 'come again')
  test.for<[string, (signal: AbortSignal) => Promise<Uint8Array[]>]>([
    ['provider_busy: come again', () => Promise.reject(busy)],
    ['unusable picture: faces_missing', async () => bytes('broken')],
    [
      'timeout: no picture within 0.02 s',
      (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    ],
  ])('is told: %s', async ([detail, generate]) => {
    const told = await check(direct(generate), { timeoutMs: 20 })
    expect(told).toMatchObject({ isWorking: false, detail, priceMicroUsd: 60 })
  })

  test('is no vendor’s where it is ours', async () => {
    const broken = direct(() => Promise.reject(new Error('no vendor')))
    await expect(check(broken)).rejects.toThrow('no vendor')
  })
})

describe('a vendor with a queue', () => {
  const submission = { requestId: 'one', statusUrl: 'a', responseUrl: 'b', cancelUrl: 'c' }
  function queued(...states: RequestStatus[]) {
    const submitted: unknown[] = []
    const downloaded: string[] = []
    const provider = {
      ...limits,
      kind: 'queued',
      async submit(_request: ImageRequest, { signal: _signal, ...options }: { signal: unknown }) {
        submitted.push(options)
        return submission
      },
      async poll(of: unknown) {
        expect(of).toBe(submission)
        return states.shift()
      },
      async download(url: string) {
        downloaded.push(url)
        return Buffer.from(url)
      },
    }
    return { provider, submitted, downloaded }
  }

  test('is asked until it is done, and no more pictures are fetched than were asked for', async () => {
    const { provider, submitted, downloaded } = queued(
      { state: 'queued', position: 2 },
      { state: 'pictures', urls: ['one', 'two', 'three'] },
    )
    expect(await check(provider)).toMatchObject({ isWorking: true, detail: `${found}; ${found}` })
    expect(submitted).toEqual([{ webhookUrl: undefined, startWithinMs: 60_000 }])
    expect(downloaded).toEqual(['one', 'two'])
  })

  test('says why it has failed', async () => {
    const error = new HostedError('policy_refused', 'not this')
    const { provider } = queued({ state: 'failed', error })
    expect(await check(provider)).toMatchObject({ detail: 'policy_refused: not this' })
  })

  test('is given up when its time is over', async () => {
    const working = Array.from({ length: 9 }, () => ({ state: 'working' }) as const)
    expect(await check(queued(...working).provider, { timeoutMs: 20 })).toMatchObject({
      detail: 'timeout: no picture within 0.02 s',
    })
  })
})
