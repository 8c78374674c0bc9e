import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from './engine.ts'
import type { Engine, EngineStage, SelfieInput, Sheet } from './engine-calls.ts'
import { photoDigest } from './photo/photo-digest.ts'

const fixture = async (name: string): Promise<Uint8Array> =>
  await readFile(new URL(`../fixtures/${name}`, import.meta.url))

let engine: Engine
let userUpload: Uint8Array
let starUpload: Uint8Array
let input: SelfieInput
let unprepared: Sheet

beforeAll(async () => {
  engine = createEngine()
  userUpload = await fixture('user-4.jpg')
  starUpload = await fixture('star-olmira.jpg')
  const { photo: userPhoto } = await engine.admit({ bytes: userUpload })
  const { photo: starPhoto } = await engine.admit({ bytes: starUpload })
  input = {
    userPhoto,
    stars: [{ photo: starPhoto }],
    aspect: '4:5',
    resolution: 'standard',
    watermarkText: 'starside.example',
    systemVersion: '1.2.3',
  }
  unprepared = await press({})
})

afterAll(() => engine.close())

async function press(
  wishes: Partial<SelfieInput>,
  onStage?: (stage: EngineStage) => void,
): Promise<Sheet> {
  return await engine.makeSheet(
    { ...input, ...wishes, variationsMax: 3, keepLayers: true },
    { onStage },
  )
}

/** The photo coach's checks of both photos, and what the studio asks for once both are chosen. */
async function prepare(account: string): Promise<boolean> {
  for (const bytes of [userUpload, starUpload]) {
    await engine.admit({ bytes, account, readAhead: true })
  }
  const { isBegun } = await engine.prepare({
    account,
    user: { digest: photoDigest(userUpload) },
    stars: [{ digest: photoDigest(starUpload) }],
    aspect: '4:5',
    resolution: 'standard',
  })
  return isBegun
}

const filesOf = ({ best, variations, layers }: Sheet) => ({ best, variations, layers })

describe('people who were cut out while the person chose', () => {
  test('are neither read nor cut out again, and give the same files byte for byte', async () => {
    expect(await prepare('ann')).toBe(true)
    const stages: EngineStage[] = []
    const sheet = await press({ account: 'ann' }, (stage) => stages.push(stage))
    expect([sheet.wasPrepared, sheet.keptCount]).toEqual([true, 2])
    expect(stages).toEqual(['harmonise', 'blend', 'finish'])
    expect(filesOf(sheet)).toEqual(filesOf(unprepared))
  })

  test('serve any scene, and more than one press', async () => {
    await prepare('ann')
    const wish = { scene: 'cafe', seed: 7 } as const
    const sheet = await press({ ...wish, account: 'ann' })
    expect(sheet.wasPrepared).toBe(true)
    expect(filesOf(sheet)).toEqual(filesOf(await press(wish)))
    expect(filesOf(await press({ account: 'ann' }))).toEqual(filesOf(unprepared))
  })

  test('are cut out anew for another format, and give the same files too', async () => {
    await prepare('ann')
    const wish = { aspect: '1:1' } as const
    const sheet = await press({ ...wish, account: 'ann' })
    expect([sheet.wasPrepared, sheet.keptCount]).toEqual([false, 2])
    expect(filesOf(sheet)).toEqual(filesOf(await press(wish)))
  })

  test('serve no other account, and nobody once they are forgotten', async () => {
    await prepare('ann')
    expect((await press({ account: 'ben' })).wasPrepared).toBe(false)
    expect((await press({})).wasPrepared).toBe(false)
    await engine.forgetPhotos({ account: 'ann' })
    expect((await press({ account: 'ann' })).wasPrepared).toBe(false)
  })

  test('are forgotten also while they are still cut out', async () => {
    await prepare('eve')
    await engine.forgetPhotos({ account: 'eve' })
    expect((await press({ account: 'eve' })).wasPrepared).toBe(false)
  })
})

test('nobody is cut out of a photo that the account has not sent', async () => {
  await prepare('ann')
  const begun = engine.prepare({
    account: 'a stranger',
    user: { digest: photoDigest(userUpload) },
    stars: [{ digest: photoDigest(starUpload) }],
    aspect: '4:5',
    resolution: 'standard',
  })
  expect(await begun).toEqual({ isBegun: false })
})
