import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from './engine.ts'
import type { Engine, SelfieInput, Sheet } from './engine-calls.ts'

const fixture = async (name: string): Promise<Uint8Array> =>
  await readFile(new URL(`../fixtures/${name}`, import.meta.url))

let engine: Engine
let userUpload: Uint8Array
let input: SelfieInput
let unkept: Sheet

beforeAll(async () => {
  engine = createEngine()
  userUpload = await fixture('user-4.jpg')
  const { photo: userPhoto } = await engine.admit({ bytes: userUpload })
  const { photo: starPhoto } = await engine.admit({
    bytes: await fixture('star-zuvia-cutout.webp'),
  })
  input = {
    userPhoto,
    stars: [{ photo: starPhoto, isPreset: true }],
    aspect: '4:5',
    resolution: 'standard',
    watermarkText: 'starside.example',
    systemVersion: '1.2.3',
  }
  // Also keeps the star, as it is everybody's.
  unkept = await sheetFor(undefined, 3)
})

afterAll(() => engine.close())

async function sheetFor(account: string | undefined, variationsMax = 1): Promise<Sheet> {
  return await engine.makeSheet({ ...input, account, variationsMax, keepLayers: true })
}

describe('a photo that was checked a moment ago', () => {
  beforeAll(async () => {
    await engine.admit({ bytes: userUpload, account: 'ann', readAhead: true })
  })

  test('is not decoded again for the same account', async () => {
    const again = await engine.admit({ bytes: userUpload, account: 'ann' })
    expect(again.wasKept).toBe(true)
    expect(again.photo).toEqual(input.userPhoto)
    const chosen = await engine.admit({ bytes: userUpload, account: 'ann', faceIndexes: [1] })
    expect(chosen.wasKept).toBeUndefined()
  })

  test('is not read again for the same account, and gives the same picture byte for byte', async () => {
    const sheet = await sheetFor('ann', 3)
    expect(sheet.keptCount).toBe(2)
    expect(withoutCount(sheet)).toEqual(withoutCount(unkept))
  })

  test('is read for another account, and for none', async () => {
    expect((await sheetFor('ben')).keptCount).toBe(1)
    expect((await sheetFor(undefined)).keptCount).toBe(1)
    expect((await engine.admit({ bytes: userUpload, account: 'eve' })).wasKept).toBeUndefined()
  })

  test('is kept from the first picture on, and no longer when it is forgotten', async () => {
    expect((await sheetFor('ben')).keptCount).toBe(2)
    await engine.forgetPhotos({ account: 'ben' })
    expect((await sheetFor('ben')).keptCount).toBe(1)
    expect((await sheetFor('ann')).keptCount).toBe(2)
  })
})

test('a reading that is given up is not kept', async () => {
  const givenUp = new AbortController()
  const making = engine.makeSheet(
    { ...input, account: 'zoe', variationsMax: 1, keepLayers: false },
    { signal: givenUp.signal, onStage: () => givenUp.abort() },
  )
  await expect(making).rejects.toThrow()
  expect((await sheetFor('zoe')).keptCount).toBe(1)
})

function withoutCount({ best, variations, layers }: Sheet): Sheet {
  return { best, variations, layers }
}
