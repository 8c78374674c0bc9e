import { expect, test } from 'vitest'
import type { GenerateRequest } from '../../image-provider.ts'
import { testReading } from '../../testing/test-reading.ts'
import type { SubjectLayer } from '../layers/layers.ts'
import { createPictureLane } from '../picture-lane.ts'
import { createFrame } from '../shared-frames.ts'
import { createPreparation, nameOfCut } from './prepare-cut.ts'
import type { CutPeople } from './sheet-pictures.ts'

const photo = {
  bytes: new Uint8Array(3),
  mediaType: 'image/jpeg',
  widthPx: 400,
  heightPx: 400,
  hasMatte: false,
} as const

const request: GenerateRequest = {
  userPhoto: photo,
  stars: [{ photo: { ...photo, bytes: new Uint8Array(4) } }],
  aspect: '4:5',
  resolution: 'standard',
}

/** Cuts everybody out as one layer of so many pixels. */
function preparationOf({ pixels = 100, areKept = true }) {
  const clock = { ms: 0 }
  const counts = { cut: 0 }
  const lane = createPictureLane()
  const cut = async (): Promise<CutPeople> => {
    counts.cut++
    // What has no array takes no part in this.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const measures = { reading: testReading, place: {} } as unknown as SubjectLayer
    const subjects = [{ ...measures, frame: createFrame(pixels, 1) }]
    return {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      layout: {} as CutPeople['layout'],
      subjects: [testReading],
      layers: {
        subjects,
        threads: undefined,
        background: undefined,
        seed: 1,
        cut: Promise.resolve({ subjects, background: undefined, seed: 1 }),
      },
      keptCount: 1,
      areKept,
    }
  }
  const acquireFrame = (_: number, width: number, height: number) => createFrame(width, height)
  const preparation = createPreparation({ cut, acquireFrame, lane, now: () => clock.ms })
  const press = async (account: string): Promise<boolean> => {
    const name = nameOfCut(request)
    const own = { ...request, account }
    const cutting = lane.run(() => preparation.cut(own, name), { awaits: name })
    return (await cutting).wasPrepared
  }
  const prepare = (account: string) => preparation.prepare({ ...request, account })
  return { clock, counts, preparation, prepare, press }
}

test('what was cut out ahead is cut out once, and ends after five minutes', async () => {
  const { clock, counts, prepare, press } = preparationOf({})
  prepare('ann')
  expect([await press('ann'), counts.cut]).toEqual([true, 1])
  prepare('ann')
  clock.ms = 5 * 60_000 - 1
  expect([await press('ann'), counts.cut]).toEqual([true, 1])
  clock.ms++
  expect([await press('ann'), counts.cut]).toEqual([false, 2])
})

test('a cut-out is no flat photo, though their bytes are the same', () => {
  const cutOut = { ...request, userPhoto: { ...photo, hasMatte: true } }
  expect(nameOfCut(cutOut)).not.toBe(nameOfCut(request))
})

test('the oldest makes room where the bytes of all accounts are too many', async () => {
  const { prepare, press } = preparationOf({ pixels: 4_000_000 })
  for (const account of ['ann', 'ben', 'cleo']) {
    prepare(account)
    expect(await press(account)).toBe(true)
  }
  expect([await press('ann'), await press('ben'), await press('cleo')]).toEqual([false, true, true])
})

test('people too large for one account are not kept', async () => {
  const { prepare, press } = preparationOf({ pixels: 7_000_000 })
  prepare('ann')
  expect(await press('ann')).toBe(false)
})

test('people whose reading may turn out otherwise the next time are not kept', async () => {
  const { prepare, press } = preparationOf({ areKept: false })
  prepare('ann')
  expect(await press('ann')).toBe(false)
})

test('only the same photos, faces and format are the same', () => {
  const [star] = request.stars
  const others: GenerateRequest[] = [
    { ...request, userPhoto: star!.photo },
    { ...request, userFaceIndexes: [1] },
    { ...request, stars: [{ photo }] },
    { ...request, stars: [{ ...star!, faceIndex: 1 }] },
    { ...request, stars: [star!, star!] },
    { ...request, aspect: '1:1' },
    { ...request, resolution: 'high' },
  ]
  const names = others.map(nameOfCut)
  expect(new Set([nameOfCut(request), ...names]).size).toBe(1 + others.length)
  const wish: GenerateRequest = { ...request, userFaceIndexes: [0], scene: 'cafe', seed: 3 }
  expect(nameOfCut(wish)).toBe(nameOfCut(request))
})
