import { expect, test } from 'vitest'
import type { CallOptions, Engine } from './engine-calls.ts'
import { callSettings, engineWithin, mapMethods } from './call-settings.ts'

test('a picture waits with pictures and a reading with readings, each as long as its work may take', () => {
  const told = Object.entries(callSettings).map(
    ([method, { queue, timeLimitMs }]) => `${method}: ${queue}, ${timeLimitMs / 1_000} s`,
  )
  expect(told.toSorted()).toEqual([
    'admit: readings, 60 s',
    'cropFaces: readings, 60 s',
    'developPicture: pictures, 60 s',
    'developPreviews: pictures, 60 s',
    'examine: readings, 60 s',
    'finishProviderPicture: pictures, 120 s',
    'fitPhoto: readings, 60 s',
    'forgetPhotos: readings, 60 s',
    'inspect: readings, 60 s',
    'makeLogo: readings, 60 s',
    'makePresetFiles: pictures, 120 s',
    'makeSelfie: pictures, 240 s',
    'makeSheet: pictures, 240 s',
    'moreVariations: pictures, 120 s',
    'normalise: readings, 60 s',
    'prepare: readings, 60 s',
    'previewVariation: readings, 30 s',
    'renderVariation: pictures, 60 s',
    'sign: readings, 60 s',
    'toPng: readings, 60 s',
  ])
})

test('an engine has each of its methods, made by one rule', async () => {
  const methods = mapMethods((method) => () => Promise.resolve(method as never))
  expect(Object.keys(methods)).toEqual(Object.keys(callSettings))
  expect(await methods.toPng(new Uint8Array())).toBe('toPng')
})

test('an engine within a signal ends its calls by it, where they name none of their own', async () => {
  const signals: unknown[] = []
  const toPng = async (bytes: Uint8Array, options?: CallOptions) => {
    signals.push(options?.signal)
    return bytes
  }
  const [limit, own] = [new AbortController().signal, new AbortController().signal]
  const within = engineWithin({ toPng } as Partial<Engine> as Engine, limit)
  await within.toPng(new Uint8Array())
  await within.toPng(new Uint8Array(), { signal: own })
  expect(signals).toEqual([limit, own])
})
