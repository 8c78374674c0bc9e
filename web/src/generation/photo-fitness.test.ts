import type { InspectAnswer } from '@starside/contract/generation.ts'
import { expect, it } from 'vitest'
import { ApiError } from '../api/call.ts'
import {
  fitnessOf,
  isTooTightForStory,
  isAnyTightForStory,
  type Fitness,
  verdictOn,
} from './photo-fitness.ts'
import { testStar } from './testing/test-star.ts'
import type { ChosenPhoto } from './use-photo.ts'

const prepared = { file: new File([], 'me.jpg'), readable: true, widthPx: 9, heightPx: 9 }
const photo = (check: ChosenPhoto['check']): ChosenPhoto => ({ prepared, check, faceIndex: null })
const checked = (usable: boolean): ChosenPhoto['check'] => ({
  state: 'answered',
  answer: { usable, faces: [], refusals: [], hints: [] } as unknown as InspectAnswer,
})
const refused = (code: string, fromServer: boolean): ChosenPhoto['check'] => ({
  state: 'failed',
  error: new ApiError('?', 415, code, fromServer),
})

it.each<[ChosenPhoto | null, Fitness]>([
  [null, 'missing'],
  [{ prepared: null, check: null, faceIndex: null }, 'checking'],
  [{ prepared: null, check: checked(true), faceIndex: null }, 'checking'],
  [photo(null), 'checking'],
  [photo({ state: 'checking' }), 'checking'],
  [photo(checked(true)), 'fit'],
  [photo(checked(false)), 'unfit'],
  [photo(refused('photo_format', true)), 'unfit'],
  [photo(refused('photo_blocked', true)), 'unfit'],
  [photo(refused('photo_format', false)), 'fit'],
  [photo(refused('background_unreadable', true)), 'unfit'],
  [photo(refused('too_many_requests', true)), 'fit'],
  [photo(refused('NETWORK_ERROR', false)), 'fit'],
])('a photo of which is known %j is %s', (chosen, fitness) => {
  expect(fitnessOf(chosen)).toBe(fitness)
})

const ofFaces = (...faces: { refusals?: string[]; hints?: string[] }[]): InspectAnswer =>
  ({
    usable: (faces[0]?.refusals ?? []).length === 0,
    faces: faces.map(({ refusals = [], hints = [] }) => ({ refusals, hints })),
    refusals: [],
    hints: ['several_faces', ...(faces[0]?.hints ?? [])].map((code) => ({ code, sentence: code })),
  }) as unknown as InspectAnswer
const choose = (
  answer: InspectAnswer,
  faceIndex: number,
  companions: number[] = [],
): ChosenPhoto => ({
  ...photo({ state: 'answered', answer }),
  faceIndex,
  companions,
})

it('whoever is meant is judged, not the main face', () => {
  const answer = ofFaces({ refusals: ['face_profile'] }, {}, { hints: ['tight_crop'] })
  expect(fitnessOf(choose(answer, 0))).toBe('unfit')
  expect(fitnessOf(choose(answer, 1))).toBe('fit')
  expect(fitnessOf(choose(answer, 1, [0]))).toBe('unfit')
  expect(isTooTightForStory(choose(answer, 1))).toBe(false)
  expect(isTooTightForStory(choose(answer, 1, [2]))).toBe(true)
})

it('closed eyes are told of each face that is meant, and refuse none', () => {
  const answer = ofFaces({}, { hints: ['several_faces', 'eyes_closed', 'turned'] })
  const several = { code: 'several_faces', sentence: 'several_faces' }
  expect(verdictOn(choose(answer, 0), answer)).toEqual({ usable: true, hints: [several] })
  expect(verdictOn(choose(answer, 0, [1]), answer)).toEqual({
    usable: true,
    hints: [
      several,
      { code: 'eyes_closed', sentence: '', face: 1 },
      { code: 'turned', sentence: '', face: 1 },
    ],
  })
})

it('a hint of a further face has the sentence of its kind and the place of that face', () => {
  const closed = { hints: ['eyes_closed'] }
  const answer = ofFaces(closed, {}, closed)
  expect(verdictOn(choose(answer, 2), answer).hints).toEqual([
    { code: 'several_faces', sentence: 'several_faces' },
    { code: 'eyes_closed', sentence: 'eyes_closed', face: 2 },
  ])
})

const withHints = (...codes: string[]): ChosenPhoto => {
  const hints = codes.map((code) => ({ code, sentence: '' }))
  const answer = { usable: true, faces: [], refusals: [], hints } as unknown as InspectAnswer
  return photo({ state: 'answered', answer })
}

it('a photo that ends soon below the chin is too tight for a story, others are not', () => {
  expect(isTooTightForStory(withHints('turned', 'tight_crop'))).toBe(true)
  expect(isTooTightForStory(withHints('turned'))).toBe(false)
  expect(isTooTightForStory(photo({ state: 'checking' }))).toBe(false)
  expect(isTooTightForStory(null)).toBe(false)
})

it('a story is too tight for a preset, or a photo of one’s own, that ends soon below the chin', () => {
  const tight = withHints('tight_crop')
  const preset = testStar({ name: 'Ada Vale', tightCrop: true })
  const nobody = { custom: null, presetId: null, preset: undefined }
  const star = { custom: null, presetId: preset.id, preset }
  const isTight = (choices: Partial<Parameters<typeof isAnyTightForStory>[0]>) =>
    isAnyTightForStory({ mine: null, star: nobody, second: null, ...choices })
  expect(isTight({})).toBe(false)
  expect(isTight({ mine: tight })).toBe(true)
  expect(isTight({ star })).toBe(true)
  expect(isTight({ star: { ...star, custom: withHints() } }), 'it is not seen').toBe(false)
  expect(isTight({ second: { ...nobody, custom: tight } })).toBe(true)
})
