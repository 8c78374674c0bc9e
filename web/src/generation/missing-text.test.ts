import { headsMax } from '@starside/contract/limits.ts'
import type { InspectAnswer } from '@starside/contract/generation.ts'
import { expect, it } from 'vitest'
import { fill } from '@starside/contract/fill.ts'
import m from '@starside/contract/texts/en/dashboard.json'
import type { StudioChoices } from './gather-request.ts'
import { missingOfPair, missingText, type Fitness } from './photo-fitness.ts'
import { testChoices } from './testing/test-choices.ts'
import { testStar } from './testing/test-star.ts'
import type { ChosenPhoto } from './use-photo.ts'

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
  expect(missingOfPair(mine, star, lacks, m)).toBe(text)
})

/** A photo whose check found so many faces, all of them wanted, with these hints. */
function photoOf(faceCount = 1, hints: string[] = []): ChosenPhoto {
  const faces = Array.from({ length: faceCount }, () => ({ refusals: [], hints }))
  const answer = { usable: true, faces, refusals: [], hints: [] } as unknown as InspectAnswer
  return {
    prepared: { file: new File([], 'me.jpg'), readable: true, widthPx: 9, heightPx: 9 },
    check: { state: 'answered', answer },
    faceIndex: 0,
    companions: faces.slice(1).map((_, index) => index + 1),
  }
}
const refusedPhoto: ChosenPhoto = {
  ...photoOf(0),
  check: {
    state: 'answered',
    answer: { usable: false, faces: [], refusals: [], hints: [] } as unknown as InspectAnswer,
  },
}
const { star, wishes } = testChoices
const nobody = { custom: null, presetId: null, preset: undefined }
const complete: StudioChoices = { ...testChoices, mine: photoOf() }

it.each<[string, Partial<StudioChoices>, string | null]>([
  ['nothing more', {}, null],
  ['a second star who is not chosen', { second: nobody }, m.needSecondStar],
  ['a second star who is a preset', { second: star }, null],
  [
    'a second star of their own without consent',
    { second: { ...nobody, custom: photoOf() } },
    m.needConsent,
  ],
  ['a place that is not chosen', { wishes: { ...wishes, scene: 'photo' } }, m.needBackground],
  ['a place', { wishes: { ...wishes, scene: 'photo' }, background: photoOf(0) }, null],
  ['the format of a story', { wishes: { ...wishes, aspect: '9:16' } }, null],
  [
    'the format of a story and a photo that ends too soon',
    { wishes: { ...wishes, aspect: '9:16' }, mine: photoOf(1, ['tight_crop']) },
    m.needOtherFormat,
  ],
  [
    'the format of a story and a preset that ends too soon',
    {
      wishes: { ...wishes, aspect: '9:16' },
      star: { ...star, preset: testStar({ tightCrop: true }) },
    },
    m.needOtherFormat,
  ],
  [
    'a photo of the star that is refused in the place of a preset',
    { star: { ...star, custom: refusedPhoto } },
    m.needOtherStar,
  ],
  ['as many faces as fit', { mine: photoOf(headsMax - 1) }, null],
  ['one face too many', { mine: photoOf(headsMax) }, fill(m.needFewerPeople, { most: headsMax })],
])('with %s the main button says what it waits for', (_what, more, text) => {
  expect(missingText({ ...complete, ...more }, m)).toBe(text)
})
