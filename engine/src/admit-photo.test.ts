import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createAdmission, createAdmissions } from './admit-photo.ts'
import { createEngine } from './engine.ts'
import type { AdmittedPhoto, Engine } from './engine-calls.ts'
import { normalisePhoto, photoSidePxMax } from './photo/normalise.ts'
import { photoDigest } from './photo/photo-digest.ts'

const [widthPx, heightPx] = [4032, 3024]
const people = ['user-1.jpg', 'user-2.jpg', 'user-3.jpg'] as const
/** Of each person in the group photo. */
const place = { width: 320, height: 427, top: 1500, left: [900, 1700, 2500] } as const

let engine: Engine
let group: Buffer
beforeAll(async () => {
  engine = createEngine()
  const placed = people.map(async (name, n) => ({
    input: await sharp(await readFile(new URL(`../fixtures/${name}`, import.meta.url)))
      .resize(place.width, place.height)
      .toBuffer(),
    left: place.left[n]!,
    top: place.top,
  }))
  const background = { r: 150, g: 160, b: 170 }
  group = await sharp({ create: { width: widthPx, height: heightPx, channels: 3, background } })
    .composite(await Promise.all(placed))
    .jpeg({ quality: 95 })
    .toBuffer()
})
afterAll(() => engine.close())

/** How much the neighbours of a pixel differ in the middle of a face, in 8-bit steps. */
async function detail(
  photo: Uint8Array,
  face: { left: number; top: number; width: number; height: number },
): Promise<number> {
  const { data, info } = await sharp(photo)
    .extract(face)
    .resize(300, 300, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  let sum = 0
  for (let i = 1; i < data.length; i++) if (i % info.width) sum += Math.abs(data[i]! - data[i - 1]!)
  return sum / data.length
}

/** A face's box in pixels. */
function pixelsOf(
  face: AdmittedPhoto['inspection']['faces'][number],
  photo: { widthPx: number; heightPx: number },
) {
  return {
    left: Math.round(face.x * photo.widthPx),
    top: Math.round(face.y * photo.heightPx),
    width: Math.round(face.width * photo.widthPx),
    height: Math.round(face.height * photo.heightPx),
  }
}

test.each([0, 1, 2])(
  'face %i of a large group photo keeps the detail of the upload',
  async (chosen) => {
    const admitted = await engine.admit({ bytes: group, faceIndexes: [chosen] })
    const { photo, inspection } = admitted
    expect(inspection.faces).toHaveLength(3)
    expect(inspection.refusals).toEqual([])
    expect(Math.max(photo.widthPx, photo.heightPx)).toBeLessThanOrEqual(photoSidePxMax)
    const { faces } = await engine.inspect({ photo })
    const [index] = admitted.faceIndexes!
    const own = await detail(group, pixelsOf(inspection.faces[chosen]!, { widthPx, heightPx }))
    const kept = await detail(photo.bytes, pixelsOf(faces[index!]!, photo))
    expect(kept / own).toBeGreaterThan(0.9)
  },
)

test('a photo with bars at its sides is read without them, and its faces are told of the whole', async () => {
  const bar = 200
  const user = await readFile(new URL('../fixtures/user-1.jpg', import.meta.url))
  const { width, height } = await sharp(user).metadata()
  const barred = await sharp(user)
    .extend({ left: bar, right: bar, background: '#fff' })
    .jpeg({ quality: 95 })
    .toBuffer()
  const [plain, within] = [
    await engine.admit({ bytes: user }),
    await engine.admit({ bytes: barred }),
  ]
  expect(within.photo.widthPx).toBeGreaterThan(width - 12)
  expect(within.photo.widthPx).toBeLessThanOrEqual(width)
  expect(within.photo.heightPx).toBe(height)
  const [face] = within.inspection.faces
  const told = face!.x * (width + 2 * bar) - bar
  expect(Math.abs(told - plain.inspection.faces[0]!.x * width)).toBeLessThan(12)
})

test('a face that the whole photo shows too small can be chosen', async () => {
  const whole = await engine.normalise(group)
  const first = await engine.admit({ bytes: group })
  expect((await engine.inspect({ photo: { ...whole, shrunkBy: 1 } })).refusals).toEqual([
    'face_too_small',
  ])
  for (const { refusals } of first.inspection.faces) expect(refusals).toEqual([])
  expect(first.inspection.hints).toContain('several_faces')
})

test('what a closer look says of the second of two people stands at them', async () => {
  const face = (x: number, told: object = {}) =>
    ({ x, y: 0.5, width: 0.02, height: 0.03, refusals: [], hints: [], ...told }) as never
  const told = { y: 0.485, refusals: ['photo_blurred'], hints: ['eyes_closed'] }
  const seen = [[face(0.3), face(0.5)], [face(0.49, told)]]
  const admit = createAdmission({
    normalise: normalisePhoto,
    inspect: async () => ({
      widthPx,
      heightPx,
      faces: seen.shift() ?? [],
      refusals: [],
      hints: [],
    }),
    compositor: () => Promise.reject(new Error('nothing is read ahead')),
    admissions: createAdmissions(),
  })
  const { inspection } = await admit({ bytes: group, faceIndexes: [1] })
  expect(inspection.faces).toMatchObject([
    { refusals: [], hints: [] },
    { refusals: told.refusals, hints: told.hints },
  ])
})

test('nobody else is cut out of a photo that was narrowed to its main face', async () => {
  const account = 'one who chooses'
  const { photo } = await engine.admit({ bytes: group, account })
  const prepare = (faceIndexes: number[]) =>
    engine.prepare({
      account,
      user: { digest: photoDigest(group), faceIndexes },
      stars: [{ photo }],
      aspect: '4:5',
      resolution: 'standard',
    })
  expect(await prepare([1])).toEqual({ isBegun: false })
  expect(await prepare([0])).toMatchObject({ isBegun: true })
})

test('people all over a large photo stay together in the whole of it', async () => {
  const { photo, faceIndexes } = await engine.admit({ bytes: group, faceIndexes: [0, 1, 2] })
  expect(faceIndexes).toHaveLength(3)
  expect(photo.widthPx).toBeLessThanOrEqual(photoSidePxMax)
})

test('of a photo that is read in its own resolution nothing is cut', async () => {
  const small = await sharp(group).resize(photoSidePxMax).jpeg().toBuffer()
  const { photo, faceIndexes } = await engine.admit({ bytes: small, faceIndexes: [1] })
  expect([photo.widthPx, faceIndexes]).toEqual([photoSidePxMax, undefined])
})

test('a photo that an account sent as a person’s is no place yet, and the other way round', async () => {
  const bytes = await sharp(group).resize(1_600).jpeg().toBuffer()
  const send = async (account: string, isBackground: boolean) => {
    const { inspection, wasKept = false } = await engine.admit({ bytes, account, isBackground })
    return [inspection.faces.length, wasKept]
  }
  expect([await send('one', false), await send('one', true)]).toEqual([
    [3, false],
    [0, false],
  ])
  expect([await send('two', true), await send('two', false)]).toEqual([
    [0, false],
    [3, false],
  ])
  expect(await send('one', true), 'the same once more').toEqual([0, true])
})

test('a photo of an account is known for the minutes in which somebody chooses, and no longer', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const admissions = createAdmissions()
  admissions.keep({ account: 'one' }, 'key', Promise.resolve({} as AdmittedPhoto))
  const isKnown = async (ms: number) => {
    now = ms
    return (await admissions.find({ account: 'one' }, 'key')) !== undefined
  }
  expect([await isKnown(299_999), await isKnown(300_000)]).toEqual([true, false])
  vi.restoreAllMocks()
})
