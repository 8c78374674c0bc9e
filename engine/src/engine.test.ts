import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Compositor } from './compositor/compositor.ts'
import { createEngine } from './engine.ts'
import type { Engine, SelfieInput } from './engine-calls.ts'
import type { EngineOptions } from './engine.ts'
import type { PhotoInspection } from './photo/inspection.ts'
import type { GeneratedPicture, NormalisedPhoto } from './image-provider.ts'
import { fingerprintDistance, fingerprintDistanceMax } from './photo/fingerprint-distance.ts'
import type { PhotoRefusal } from './photo/photo-error.ts'

const engines: Engine[] = []
function openEngine(options?: EngineOptions): Engine {
  const engine = createEngine(options)
  engines.push(engine)
  return engine
}
afterEach(async () => {
  await Promise.all(engines.splice(0).map(async (engine) => await engine.close()))
})

const fixture = async (name: string): Promise<Uint8Array> =>
  await readFile(new URL(`../fixtures/${name}`, import.meta.url))

const photo = (size: number): NormalisedPhoto => ({
  bytes: new Uint8Array(size),
  mediaType: 'image/jpeg',
  widthPx: 300,
  heightPx: 300,
  hasMatte: false,
})

const picture = (provider: string): GeneratedPicture => ({
  pixels: new Uint8Array(640 * 800 * 3).fill(90),
  widthPx: 640,
  heightPx: 800,
  provider,
  model: '1',
})

function request(more: Partial<SelfieInput> = {}): SelfieInput {
  return {
    userPhoto: photo(1),
    stars: [{ photo: photo(2) }],
    aspect: '4:5',
    resolution: 'standard',
    watermarkText: 'starside.example',
    systemVersion: '1.2.3',
    ...more,
  }
}

/** A compositor that finds fault with the photo of that many bytes. */
function compositor(fault?: { size: number; code: PhotoRefusal }): Compositor {
  return {
    name: 'compositor',
    model: '1',
    generate: async () => picture('compositor'),
    inspect: async ({ bytes }): Promise<PhotoInspection> => ({
      widthPx: 300,
      heightPx: 300,
      faces: [],
      refusals: fault?.size === bytes.length ? [fault.code] : [],
      hints: [],
    }),
    cropFaces: () => Promise.reject(new Error('not asked for')),
    cutOut: () => Promise.reject(new Error('not asked for')),
    variations: {
      makeSheet: () => Promise.reject(new Error('not asked for')),
      more: () => Promise.reject(new Error('not asked for')),
      draw: () => Promise.reject(new Error('not asked for')),
      preview: () => Promise.reject(new Error('not asked for')),
      prepare: async () => undefined,
      forget: () => {},
    },
    readAhead: () => {},
    collectGarbage: () => {},
    forget: () => {},
    close: async () => {},
  }
}

describe('the pipeline', () => {
  test('makes a finished picture of two real photos', async () => {
    const engine = openEngine()
    const userPhoto = await engine.normalise(await fixture('user-4.jpg'))
    const star = await engine.normalise(await fixture('star-zuvia-cutout.webp'))
    expect((await engine.inspect({ photo: userPhoto })).refusals).toEqual([])
    const stages: string[] = []
    const selfie = await engine.makeSelfie(request({ userPhoto, stars: [{ photo: star }] }), {
      onStage: (stage) => stages.push(stage),
    })
    const { format, width, height } = await sharp(selfie.watermarked).metadata()
    expect([format, width, height]).toEqual(['jpeg', 1024, 1280])
    expect([selfie.widthPx, selfie.heightPx]).toEqual([1024, 1280])
    expect(stages.at(-1)).toBe('finish')
    expect(stages.length).toBeGreaterThan(3)
    // The picture is no flat field: both people are in it and can be found again.
    const seen = await engine.admit({ bytes: selfie.clean })
    expect(seen.inspection.faces.length).toBe(2)
    expect(
      fingerprintDistance(seen.fingerprint.upright, selfie.fingerprint.upright),
    ).toBeLessThanOrEqual(fingerprintDistanceMax)
  })

  test('an aborted request makes nothing', async () => {
    const createCompositor = vi.fn<() => Promise<Compositor>>(async () => compositor())
    const engine = openEngine({ createCompositor })
    const signal = AbortSignal.abort(new Error('gone'))
    await expect(engine.makeSelfie(request(), { signal })).rejects.toThrow('gone')
    expect(createCompositor).not.toHaveBeenCalled()
  })

  test('models that could not be loaded once are tried again, and loaded only once', async () => {
    const createCompositor = vi
      .fn<() => Promise<Compositor>>()
      .mockRejectedValueOnce(new Error('no memory'))
      .mockResolvedValue(compositor())
    const engine = openEngine({ createCompositor, preload: true })
    await expect(engine.inspect({ photo: photo(1) })).rejects.toThrow('no memory')
    await Promise.all([engine.inspect({ photo: photo(1) }), engine.inspect({ photo: photo(2) })])
    expect(createCompositor).toHaveBeenCalledTimes(2)
  })
})

describe('what the engine asks of its compositor', () => {
  test('photos are forgotten there too, once it was opened, and it is closed with the engine', async () => {
    const told: string[] = []
    const engine = createEngine({
      createCompositor: async () => ({
        ...compositor(),
        forget: (account) => void told.push(`forget ${account}`),
        close: async () => void told.push('close'),
      }),
    })
    await engine.forgetPhotos({ account: 'ann' })
    expect(told).toEqual([])
    await engine.inspect({ photo: photo(1) })
    await engine.forgetPhotos({ account: 'ben' })
    await engine.close()
    expect(told).toEqual(['forget ben', 'close'])
  })

  test('faces are looked for with the signal and the choice of the call', async () => {
    const asked: unknown[] = []
    const { signal } = new AbortController()
    const engine = openEngine({
      createCompositor: async () => ({
        ...compositor(),
        inspect: async (_photo, options) => {
          asked.push(options)
          return { widthPx: 1, heightPx: 1, faces: [], refusals: [], hints: [] }
        },
        cropFaces: async (_photo, given) => {
          asked.push(given)
          return []
        },
      }),
    })
    await engine.inspect({ photo: photo(1), faceIndexes: [2] }, { signal })
    await engine.cropFaces(photo(1), { signal })
    expect(asked).toEqual([{ signal, faceIndexes: [2] }, signal])
  })

  test('a hosted picture is not looked at once nobody wants it any more', async () => {
    const createCompositor = vi.fn<() => Promise<Compositor>>(async () => compositor())
    const engine = openEngine({ createCompositor })
    const asked = { ...request(), bytes: new Uint8Array(9), provider: 'fal', model: 'm' }
    const finishing = engine.finishProviderPicture(
      { ...asked, headCount: 2, mayHaveOthers: false },
      { signal: AbortSignal.abort(new Error('gone')) },
    )
    await expect(finishing).rejects.toThrow('gone')
    expect(createCompositor).not.toHaveBeenCalled()
  })

  test('a star is made of no cut-out, and what nobody signs leaves as it came', async () => {
    const createCompositor = vi.fn<() => Promise<Compositor>>(async () => compositor())
    const engine = openEngine({ createCompositor })
    const star = engine.makePresetFiles({ ...photo(1), hasMatte: true })
    await expect(star).rejects.toMatchObject({ name: 'PhotoError', code: 'photo_format' })
    const bytes = new Uint8Array([1, 2])
    expect(await engine.sign({ bytes, systemVersion: '1' })).toBe(bytes)
    expect(createCompositor).not.toHaveBeenCalled()
  })
})
