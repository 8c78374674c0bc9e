import type { InspectAnswer } from '@starside/contract/generation.ts'
import { expect, it } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { messages as m } from '../ui/messages/dashboard.en.ts'
import { fitnessOf, isTooTightForStory, missingText, type Fitness } from './photo-fitness.ts'
import type { ChosenPhoto, PhotoCheckState } from './use-photo.ts'

const prepared = { file: new File([], 'me.jpg'), readable: true, widthPx: 9, heightPx: 9 }
const photo = (check: PhotoCheckState | null): ChosenPhoto => ({ prepared, check, faceIndex: null })
const checked = (usable: boolean): PhotoCheckState => ({
  state: 'answered',
  answer: { usable, faces: [], refusals: [], hints: [] } as unknown as InspectAnswer,
})
const refused = (code: string, fromServer: boolean): PhotoCheckState => ({
  state: 'failed',
  error: new ApiError('?', { status: 415, code, fromServer }),
})

it.each<[ChosenPhoto | null, Fitness]>([
  [null, 'missing'],
  [{ prepared: null, check: null, faceIndex: null }, 'checking'],
  [photo(null), 'checking'],
  [photo({ state: 'checking' }), 'checking'],
  [photo(checked(true)), 'fit'],
  [photo(checked(false)), 'unfit'],
  [photo(refused('photo_format', true)), 'unfit'],
  [photo(refused('photo_blocked', true)), 'unfit'],
  [photo(refused('too_many_requests', true)), 'fit'],
  [photo(refused('NETWORK_ERROR', false)), 'fit'],
])('a photo of which is known %j is %s', (chosen, fitness) => {
  expect(fitnessOf(chosen)).toBe(fitness)
})

it.each<[Fitness, Fitness, boolean, string | null]>([
  ['missing', 'missing', false, m.needBothPhotos],
  ['missing', 'fit', false, m.needYourPhoto],
  ['fit', 'missing', false, m.needCelebrity],
  ['unfit', 'missing', false, m.needOtherPhoto],
  ['unfit', 'fit', false, m.needOtherPhoto],
  ['fit', 'unfit', true, m.needOtherStar],
  ['checking', 'missing', false, m.needCelebrity],
  ['checking', 'fit', false, m.needCheck],
  ['fit', 'checking', true, m.needCheck],
  ['fit', 'fit', true, m.needConsent],
  ['fit', 'fit', false, null],
])('one’s own photo %s, the star %s, consent lacking %s: %s', (mine, star, lacks, text) => {
  expect(missingText(mine, star, lacks, m)).toBe(text)
})

it('a photo that ends soon below the chin is too tight for a story, others are not', () => {
  const withHints = (...codes: string[]): ChosenPhoto => {
    const hints = codes.map((code) => ({ code, sentence: '' }))
    const answer = { usable: true, faces: [], refusals: [], hints } as unknown as InspectAnswer
    return photo({ state: 'answered', answer })
  }
  expect(isTooTightForStory(withHints('soft', 'tight_crop'))).toBe(true)
  expect(isTooTightForStory(withHints('soft'))).toBe(false)
  expect(isTooTightForStory(photo({ state: 'checking' }))).toBe(false)
  expect(isTooTightForStory(null)).toBe(false)
})
