import { expect, it } from 'vitest'
import { preparationOf, type StudioChoices } from './gather-request.ts'
import { testChoices } from './testing/test-choices.ts'
import type { ChosenPhoto } from './use-photo.ts'

const checked = (
  photoDigest: string | undefined,
  faceIndex: number | null = null,
): ChosenPhoto => ({
  prepared: null,
  check: {
    state: 'answered',
    answer: {
      success: true,
      usable: true,
      faces: [],
      refusals: [],
      hints: [],
      widthPx: 900,
      heightPx: 1200,
      photoDigest,
    },
  },
  faceIndex,
})
const wishes = {
  prompt: 'rain',
  scene: 'own',
  aspect: '1:1',
  look: 'natural',
  consent: true,
} as const
const nobody = { custom: null, presetId: null, preset: undefined }
const chosen: StudioChoices = {
  ...testChoices,
  mine: checked('me'),
  wishes,
}

it('a checked photo and a star are prepared in the format that is chosen', () => {
  const stars = [{ presetId: 'ada-vale' }]
  expect(preparationOf(chosen)).toEqual({ userPhoto: 'me', stars, aspect: '1:1' })
})

it('the faces that are meant are named, and both stars in their order', () => {
  const mine = { ...checked('me', 2), companions: [0] }
  const custom = checked('a star of one’s own', 1)
  const star = { ...testChoices.star, custom }
  const second = { ...testChoices.star, custom: checked('another') }
  expect(preparationOf({ ...chosen, mine, star, second })).toMatchObject({
    userFaces: [0, 2],
    stars: [{ photo: 'a star of one’s own', faceIndex: 1 }, { photo: 'another' }],
  })
})

it.each<[string, Partial<StudioChoices>]>([
  ['an own photo', { mine: null }],
  ['its check', { mine: { prepared: null, check: { state: 'checking' }, faceIndex: null } }],
  ['a photo that the server knows', { mine: checked(undefined) }],
  ['a star', { star: nobody }],
  ['the check of the star’s photo', { star: { ...nobody, custom: checked(undefined) } }],
  ['the second star, once one was added', { second: nobody }],
  ['a place that is drawn or one’s own', { wishes: { ...wishes, scene: 'photo' } }],
])('nothing is prepared without %s', (_, missing) => {
  expect(preparationOf({ ...chosen, ...missing })).toBeNull()
})
