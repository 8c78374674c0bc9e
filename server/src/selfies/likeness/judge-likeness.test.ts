import type { CroppedFace } from '@starside/engine/compositor/faces/crop-face.ts'
import { beforeEach, expect, test } from 'vitest'
import type { GenerationRow } from '../queries.ts'
import { likenessMinDefault } from '../../vendors/models/model-description.ts'
import type { AttemptRow } from '../providers/attempts.ts'
import { openLikenessJudge, LikenessError } from './judge-likeness.ts'

/** A face whose crop says whose it is. */
const face = (who: number, headSizePx = 100): CroppedFace => ({
  crop: Uint8Array.of(who),
  headSizePx,
})
const [user, friend, star, second] = [1, 2, 3, 4] as const

/** The faces of each photo, by the first letter of its key. */
let photos: Record<string, CroppedFace[]>
/** Whose crops were compared, of each comparison. */
let compared: number[][]
let logged: string[]
/** How many photos were read. */
let reads: number
beforeEach(() => {
  photos = { u: [face(user)], s: [face(star)], t: [face(second)] }
  ;[compared, logged, reads] = [[], [], 0]
})

const row = {
  user_photo_key: 'user-1x1.jpg',
  user_face_index: null,
  user_face_indexes: null,
  star_photo_key: 'star-1x1.jpg',
  star_face_index: null,
  star_names: null,
  second_star_photo_key: 'tstar-1x1.jpg',
  second_star_face_index: null,
}

interface Given {
  row?: Partial<GenerationRow>
  signal?: AbortSignal
  compare?: (() => Promise<number[][]>) | undefined
  likenessMin?: number
}

/** A judge to whom faces of the same person are 0.1 apart, all others 0.9. */
function open(given: Given = {}) {
  const distances = async (crops: readonly Uint8Array[]) => {
    const people = crops.map(([who]) => who!)
    compared.push(people)
    return people.map((one) => people.map((other) => (one === other ? 0.1 : 0.9)))
  }
  const comparison = { compare: given.compare ?? distances, close() {} }
  const parts = {
    faceComparison: 'compare' in given && given.compare === undefined ? undefined : comparison,
    images: {
      find: (name: string) =>
        name === 'openai:known' && given.likenessMin !== undefined
          ? { likenessMin: given.likenessMin }
          : undefined,
    },
    log: { error: (_about: unknown, words: string) => logged.push(words) },
    store: {
      async get(key: string) {
        reads += 1
        return Buffer.from(key)
      },
    },
    engine: { cropFaces: async ({ bytes }: { bytes: Buffer }) => photos[bytes.toString()[0]!] },
  }
  const about = {
    row: { ...row, ...given.row } as GenerationRow,
    attempt: { id: 'one', provider: 'openai', model: 'known' } as AttemptRow,
    signal: given.signal ?? new AbortController().signal,
  }
  return openLikenessJudge(parts as never, about)
}

test('the least alike person tells how alike a picture is', async () => {
  const judge = open()
  expect(await judge.measure([face(star), face(user)])).toBeCloseTo(0.9)
  expect(await judge.measure([face(star), face(9)])).toBeCloseTo(0.1)
  expect(compared).toEqual([
    [user, star, star, user],
    [user, star, star, 9],
  ])
})

test('the photos are read with the first picture, once for all', async () => {
  const judge = open()
  expect(reads).toBe(0)
  await judge.measure([face(user), face(star)])
  await judge.measure([face(user), face(star)])
  expect(reads).toBe(2)
})

test('everybody who is meant is looked for: a friend beside the person, and a second star', async () => {
  photos['u'] = [face(9), face(user), face(friend)]
  photos['t'] = [face(8), face(second)]
  const judge = open({
    row: {
      user_face_indexes: [2, 1],
      star_names: ['A', 'B'],
      second_star_face_index: 1,
    },
  })
  const faces = [user, friend, star, second].map((who) => face(who))
  expect(await judge.measure(faces)).toBeCloseTo(0.9)
  expect(compared[0]?.slice(0, 4)).toEqual([friend, user, star, second])
})

test('one star alone is compared where only one is wished for', async () => {
  photos['t'] = []
  expect(await open().measure([face(user), face(star)])).toBeCloseTo(0.9)
})

test('the six largest faces of a picture are compared', async () => {
  const faces = [10, 11, 12, 13, 14, 15, 16].map((who, index) => face(who, 50 + index))
  await open().measure(faces)
  expect(compared).toEqual([[user, star, 16, 15, 14, 13, 12, 11]])
})

test.for<[string, () => Parameters<typeof open>[0], CroppedFace[]]>([
  ['where there is no network', () => ({ compare: undefined }), [face(user), face(star)]],
  ['of fewer faces than people', () => ({}), [face(user)]],
  [
    'where somebody isn’t found again in their photo',
    () => ({ row: { star_face_index: 1 } }),
    [face(user), face(star)],
  ],
])('nothing is told, and nothing compared, %s', async ([, given, faces]) => {
  expect(await open(given()).measure(faces)).toBeUndefined()
  expect([compared, logged]).toEqual([[], []])
})

test('a network that fails costs nobody a picture, and is logged', async () => {
  const compare = () => Promise.reject(new Error('lost'))
  expect(await open({ compare }).measure([face(user), face(star)])).toBeUndefined()
  expect(logged).toEqual(['likeness could not be compared'])
})

test('work that is ended is no failure of the network', async () => {
  const stop = new AbortController()
  const compare = () => {
    stop.abort(new Error('ended'))
    return Promise.reject(new Error('lost'))
  }
  const judge = open({ compare, signal: stop.signal })
  await expect(judge.measure([face(user), face(star)])).rejects.toThrow('ended')
  expect(logged).toEqual([])
})

test('a model says itself how alike people must be, others are held to the common figure', () => {
  expect(open({ likenessMin: 0.4 }).likenessMin).toBe(0.4)
  expect(open().likenessMin).toBe(likenessMinDefault)
})

test('a stranger’s face is reported in percent', () => {
  const { message, likeness } = new LikenessError(0.1249, 0.55)
  expect([message, likeness]).toEqual(['a stranger’s face: likeness 12 %, at least 55 %', 0.1249])
})
