import { setTimeout } from 'node:timers/promises'
import { createEngine } from '@starside/engine/engine.ts'
import type { Engine, Sheet } from '@starside/engine/engine-calls.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { photoDigest } from '@starside/engine/photo/photo-digest.ts'
import sharp from 'sharp'
import type { ChildOrder, ChildReport, Turn } from './run-child.ts'

const usual = { aspect: '4:5', resolution: 'standard' } as const
const previewsEachRound = 4
const choosingMs = 10_000

const finishing = {
  watermarkText: 'starside.example',
  systemVersion: 'bench',
  markId: 'c0ffee0123456789',
}

process.on('message', (order: ChildOrder) => {
  void measure(order).then((report) => process.send!(report))
})

async function measure({ job, photos, rounds }: ChildOrder): Promise<ChildReport> {
  // As the engine's own process does.
  sharp.cache(false)
  const engine = createEngine({
    preload: job !== 'floor',
    provenance: { markKey: Buffer.from('a key that only this measurement knows') },
  })
  const turns: ChildReport['turns'] = {
    selfie: [],
    sheet: [],
    further: [],
    preview: [],
    press: [],
    pressKept: [],
  }
  const memoryMb: number[] = []
  for (let round = 0; round < rounds; round++) {
    if (job === 'floor') await time(turns.selfie, () => copyPhotos(photos))
    else if (job !== 'sheets') await time(turns.selfie, () => makeSelfie(engine, photos))
    if (job === 'sheets') await time(turns.sheet, () => makeSheet(engine, photos))
    if (job === 'turns') {
      const sheet = await time(turns.sheet, () => makeSheet(engine, photos))
      await timeAdjusting(engine, sheet, turns)
      await time(turns.press, () => press(engine, photos, undefined))
      await check(engine, photos, `person ${round}`)
      await time(turns.pressKept, () => press(engine, photos, `person ${round}`))
    }
    memoryMb.push(process.memoryUsage.rss() / 1e6)
  }
  await engine.close()
  return { turns, memoryMb, peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6 }
}

/** What every selfie app has to do at least. */
async function copyPhotos(photos: readonly Buffer[]): Promise<unknown> {
  return await Promise.all(photos.map((photo) => sharp(photo).resize(1024).jpeg().toBuffer()))
}

async function timeAdjusting(
  engine: Engine,
  sheet: Sheet,
  turns: ChildReport['turns'],
): Promise<void> {
  const layers = sheet.layers!
  const { arrangement } = sheet.variations[sheet.variations.length - 1]!
  const resolution = 'standard'
  await time(turns.further, () =>
    engine.renderVariation({ ...finishing, layers, arrangement, resolution }),
  )
  const { watermarkText } = finishing
  for (let n = 0; n < previewsEachRound; n++) {
    await time(turns.preview, () =>
      engine.previewVariation({
        layers,
        arrangement,
        longSidePx: 512,
        withPeople: false,
        watermarkText,
      }),
    )
  }
}

/** The coach's check of both photos, as the studio asks, and the time of choosing after it. */
async function check(engine: Engine, photos: readonly Buffer[], account: string): Promise<void> {
  for (const bytes of photos) await engine.admit({ bytes, account, readAhead: true })
  const [user, star] = photos.map((bytes) => ({ digest: photoDigest(bytes) }))
  const { aspect, resolution } = usual
  await engine.prepare({ account, user: user!, stars: [star!], aspect, resolution })
  await setTimeout(choosingMs)
}

/** All that is waited for from the press on: both photos admitted, as the server does, and the sheet. */
async function press(
  engine: Engine,
  photos: readonly Buffer[],
  account: string | undefined,
): Promise<void> {
  const [user, star] = await Promise.all(photos.map((bytes) => engine.admit({ bytes, account })))
  await engine.makeSheet({
    account,
    userPhoto: user!.photo,
    stars: [{ photo: star!.photo }],
    ...usual,
    ...finishing,
    variationsMax: 6,
    keepLayers: true,
  })
}

/** Stars that were normalised already: the server keeps those that it ships. */
const shipped = new Map<Buffer, Promise<NormalisedPhoto>>()

async function requestOf(engine: Engine, [user, star]: readonly Buffer[]) {
  const { hasAlpha: isPreset } = await sharp(star).metadata()
  const normalised = shipped.get(star!) ?? engine.normalise(star!)
  if (isPreset) shipped.set(star!, normalised)
  const [userPhoto, photo] = await Promise.all([engine.normalise(user!), normalised])
  return { userPhoto, stars: [{ photo, isPreset }], ...usual, ...finishing } as const
}

async function makeSelfie(engine: Engine, photos: readonly Buffer[]): Promise<void> {
  await engine.makeSelfie(await requestOf(engine, photos))
}

async function makeSheet(engine: Engine, photos: readonly Buffer[]): Promise<Sheet> {
  const request = await requestOf(engine, photos)
  return await engine.makeSheet({ ...request, variationsMax: 6, keepLayers: true })
}

async function time<Result>(into: Turn[], act: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  const result = await act()
  const { user, system } = process.cpuUsage(cpu)
  into.push({ wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1_000 })
  return result
}
