import { headsMax } from '@starside/contract/limits.ts'
import type { InspectAnswer } from '@starside/contract/generation.ts'
import type { SelfieAspect } from '@starside/contract/scenes.ts'
import { expect, it } from 'vitest'
import { fill } from '@starside/contract/fill.ts'
import { ApiError } from '../api/call.ts'
import m from '@starside/contract/texts/en/dashboard.json'
import type { StudioChoices } from './gather-request.ts'
import { adviceOf, greyNoteOf, missingOf, usualFormat, type Fitness } from './photo-fitness.ts'
import { testChoices } from './testing/test-choices.ts'
import { testStar } from './testing/test-star.ts'
import type { ChosenPhoto } from './use-photo.ts'

/** A photo whose check found so many faces, all of them wanted, with these hints and refusals. */
function photoOf(faceCount = 1, hints: string[] = [], refusals: string[] = []): ChosenPhoto {
  const faces = Array.from({ length: faceCount }, () => ({ refusals, hints }))
  const answer = { usable: true, faces, refusals: [], hints: [] } as unknown as InspectAnswer
  return {
    prepared: { file: new File([], 'me.jpg'), readable: true, widthPx: 9, heightPx: 9 },
    check: { state: 'answered', answer },
    faceIndex: 0,
    companions: faces.slice(1).map((_, index) => index + 1),
  }
}
const several = [{ code: 'several_faces', sentence: '' }]
const withOthers: ChosenPhoto = {
  ...photoOf(2),
  check: {
    state: 'answered',
    answer: {
      usable: true,
      faces: [
        { refusals: [], hints: [] },
        { refusals: [], hints: [] },
      ],
      refusals: [],
      hints: several,
    } as unknown as InspectAnswer,
  },
}
const refusedPhoto: ChosenPhoto = {
  ...photoOf(0),
  check: {
    state: 'answered',
    answer: { usable: false, faces: [], refusals: [], hints: [] } as unknown as InspectAnswer,
  },
}
/** A photo of four beside each other, whose first three touch; these of them are chosen. */
function row(faceIndex: number, ...companions: number[]): ChosenPhoto {
  const touches = [[1], [0, 2], [1], []]
  const faces = touches.map((touched, n) => {
    return { x: n * 0.2, width: 0.1, refusals: [], hints: [], touches: touched }
  })
  const answer = { usable: true, faces, refusals: [], hints: [] } as unknown as InspectAnswer
  return { ...photoOf(), check: { state: 'answered', answer }, faceIndex, companions }
}
const { star, wishes } = testChoices
const nobody = { custom: null, presetId: null, preset: undefined }
const complete: StudioChoices = { ...testChoices, mine: photoOf() }

const inState = (fitness: Fitness): ChosenPhoto | null =>
  ({
    missing: null,
    unfit: refusedPhoto,
    unchosen: { ...photoOf(2), faceIndex: null },
    checking: { ...photoOf(), check: { state: 'checking' as const } },
    fit: photoOf(),
  })[fitness]

it.each<[Fitness, Fitness, boolean, keyof typeof m | null]>([
  ['missing', 'missing', false, 'needBothPhotos'],
  ['missing', 'fit', false, 'needYourPhoto'],
  ['fit', 'missing', false, 'needCelebrity'],
  ['unfit', 'missing', false, 'needOtherPhoto'],
  ['unfit', 'fit', false, 'needOtherPhoto'],
  ['fit', 'unfit', true, 'needOtherStar'],
  ['unchosen', 'missing', false, 'needFace'],
  ['unchosen', 'fit', false, 'needFace'],
  ['checking', 'missing', false, 'needCelebrity'],
  ['checking', 'fit', false, 'needCheck'],
  ['fit', 'checking', true, 'needCheck'],
  ['fit', 'fit', true, 'needConsent'],
  ['fit', 'fit', false, null],
])('one’s own photo %s, the star %s, consent lacking %s: %s', (mine, of, lacks, need) => {
  const stars = { star: { ...nobody, custom: inState(of) } }
  const choices = { ...complete, mine: inState(mine), ...stars }
  const missing = missingOf({ ...choices, wishes: { ...wishes, consent: !lacks } }, m)
  expect(missing?.sentence ?? null).toBe(need && m[need])
})

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
  [
    'a place that is too small',
    {
      wishes: { ...wishes, scene: 'photo' },
      background: {
        ...photoOf(0),
        check: {
          state: 'failed',
          error: new ApiError('At least 512 pixels high.', 422, 'background_too_low', true),
        },
      },
    },
    m.needOtherBackground,
  ],
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
  [
    'a refused photo of the second star',
    { second: { ...nobody, custom: refusedPhoto }, wishes: { ...wishes, consent: true } },
    m.needOtherSecondStar,
  ],
  ['three of a row', { mine: row(0, 1, 2) }, null],
  ['neighbours of a row', { mine: row(1, 2) }, null],
  ['as many faces as fit', { mine: photoOf(headsMax - 1) }, null],
  [
    'one star too many',
    { mine: photoOf(headsMax - 1), second: star },
    fill(m.needFewerPeople, { most: headsMax }),
  ],
  [
    'a second star’s photo that is looked at',
    {
      second: { ...nobody, custom: { ...photoOf(), check: { state: 'checking' } } },
      wishes: { ...wishes, consent: true },
    },
    m.needCheck,
  ],
  ['one face too many', { mine: photoOf(headsMax) }, fill(m.needFewerPeople, { most: headsMax })],
])('with %s the main button says what it waits for', (_what, more, text) => {
  expect(missingOf({ ...complete, ...more }, m)?.sentence ?? null).toBe(text)
})

it.each<[string, Partial<StudioChoices>, string]>([
  ['a photo', { mine: null }, 'person-1'],
  ['a star', { star: nobody }, 'stars'],
  ['a better photo of the star', { star: { ...star, custom: refusedPhoto } }, 'person-2'],
  ['the consent', { star: { ...star, custom: photoOf() } }, 'consent'],
  ['the second star', { second: nobody }, 'person-3'],
  ['the place', { wishes: { ...wishes, scene: 'photo' } }, 'place'],
])('what lacks %s says where it is given', (_what, more, place) => {
  expect(missingOf({ ...complete, ...more }, m)?.at).toBe(place)
})

it.each<[string, Partial<StudioChoices>, string | null]>([
  ['of somebody alone', {}, null],
  ['with one reason', { mine: photoOf(1, ['turned']) }, null],
  ['with two reasons', { mine: photoOf(1, ['turned', 'tight_crop']) }, 'a close crop'],
  ['with others in it', { mine: withOthers }, 'several people'],
  ['that is refused', { mine: photoOf(1, ['turned', 'tight_crop'], ['face_too_small']) }, null],
  ['with others, in a scene', { mine: withOthers, wishes: { ...wishes, scene: 'cafe' } }, null],
  [
    'without colour, in a scene',
    {
      mine: photoOf(1, ['no_colour']),
      wishes: { ...wishes, look: 'automatic', scene: 'cafe' },
    },
    'no colour',
  ],
  [
    'with others, in a chosen look',
    { mine: withOthers, wishes: { ...wishes, look: 'warm' } },
    null,
  ],
])(
  'that a photo %s will be black and white is told before a credit is paid',
  (_which, more, why) => {
    const chosen = { ...complete, wishes: { ...wishes, look: 'automatic' as const }, ...more }
    const note = greyNoteOf(chosen, m)
    if (why === null) expect(note).toBeNull()
    else expect(note).toMatch(new RegExp(`^Black and white will suit your selfie best: .*${why}`))
  },
)

it.each<[string, string, SelfieAspect[], string, SelfieAspect | undefined]>([
  ['people too far apart', 'people_too_far_apart', ['1:1', '16:9'], "don't fit into 4:5", '1:1'],
  ['people who fit nowhere', 'people_too_far_apart', [], 'fewer faces', undefined],
  ['two photos cropped too close', 'pair_too_tight', [], 'Your photo is cropped', undefined],
])('%s are told before anything is sent, with what would do', (_what, code, formats, said, use) => {
  const missing = missingOf(complete, m, { code, formats })
  expect(missing?.sentence).toContain(said)
  expect(missing?.format).toBe(use)
})

it('one format in which people would do is told, beside the one in which they don’t', () => {
  const refusal = { code: 'people_too_far_apart', formats: ['1:1' as const] }
  const wide = { ...complete, wishes: { ...wishes, aspect: '16:9' as const } }
  const missing = missingOf(wide, m, refusal)
  expect(missing?.sentence).toContain("don't fit into 16:9")
  expect(missing?.format).toBe('1:1')
  const { format } = missingOf({ ...wide, star: nobody }, m, refusal) ?? {}
  expect(format, 'while a star is missing').toBeUndefined()
  const checking = { ...photoOf(), check: { state: 'checking' as const } }
  expect(missingOf({ ...wide, mine: checking }, m)).toMatchObject({ format: undefined })
})

it('a photo that is too tight for a story is not for what is wide', () => {
  const mine = photoOf(1, ['tight_crop'])
  expect(missingOf({ ...complete, mine, wishes: { ...wishes, aspect: '16:9' } }, m)).toBeNull()
})

it('a photo that is too tight for a story leads to the wide format', () => {
  const mine = photoOf(1, ['tight_crop'])
  const missing = missingOf({ ...complete, mine, wishes: { ...wishes, aspect: '9:16' } }, m)
  expect(missing).toMatchObject({ sentence: m.needOtherFormat, format: '4:3' })
})

it.each<[string, SelfieAspect[], string, SelfieAspect | undefined]>([
  ['in its usual one', ['16:9', '4:3'], m.needOtherFormat, '4:3'],
  ['in another one alone', ['16:9'], m.needOtherFormat, '16:9'],
  ['in none', [], m.needShoulders, undefined],
])(
  'a photo that is too tight for a story and fits %s is told so at once',
  (_where, formats, ...told) => {
    const mine = photoOf(1, ['tight_crop'])
    const choices = { ...complete, mine, wishes: { ...wishes, aspect: '9:16' as const } }
    const missing = missingOf(choices, m, { code: 'story_too_tight', formats })
    expect([missing?.sentence, missing?.format]).toEqual(told)
  },
)

it('a story that is too tight for three people leads to their usual format', () => {
  const mine = photoOf(2, ['tight_crop'])
  const missing = missingOf({ ...complete, mine, wishes: { ...wishes, aspect: '9:16' } }, m)
  expect(missing?.format).toBe('16:9')
})

it.each<[string, Partial<StudioChoices>]>([
  ['one’s own', { mine: photoOf(1, ['tight_crop']) }],
  ['the star’s', { star: { ...nobody, custom: photoOf(1, ['tight_crop']) } }],
])('with %s photo cropped close the usual format is wide, and is advised', (_whose, more) => {
  expect(usualFormat({ ...complete, ...more })).toBe('4:3')
  const upright = { ...complete, ...more, wishes: { ...wishes, aspect: '4:5' as const } }
  expect(adviceOf(upright, m)?.sentence).toBe('4:3 gives 2 people more room.')
})

it.each<[string, Partial<StudioChoices>, number, SelfieAspect]>([
  ['nobody yet', { mine: null, star: nobody }, 2, '4:5'],
  ['one’s own face and a star', {}, 2, '4:5'],
  ['one of a group and a star', { mine: { ...photoOf(5), companions: [] } }, 2, '4:5'],
  ['two faces and a star', { mine: photoOf(2) }, 3, '16:9'],
  ['one’s own face and two stars', { second: star }, 3, '4:3'],
  ['a second star who is not chosen yet', { second: nobody }, 3, '4:3'],
  ['two faces and two stars', { mine: photoOf(2), second: star }, 4, '16:9'],
])(
  'of %s the usual format has room for all, and is advised unless a square or another wide one is chosen',
  (_who, more, count, format) => {
    expect(usualFormat({ ...complete, ...more })).toBe(format)
    const adviceIn = (aspect: SelfieAspect) =>
      adviceOf({ ...complete, ...more, wishes: { ...wishes, aspect } }, m)
    for (const aspect of ['4:5', '9:16', format] as const) {
      const advice = { sentence: `${format} gives ${count} people more room.`, at: null, format }
      expect(adviceIn(aspect), aspect).toEqual(count > 2 ? advice : null)
    }
    const otherWide = format === '4:3' ? '16:9' : '4:3'
    expect(adviceIn('1:1') ?? adviceIn(otherWide)).toBeNull()
  },
)
