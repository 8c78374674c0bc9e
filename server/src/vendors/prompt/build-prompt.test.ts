import { expect, test } from 'vitest'
import { openCatalogue } from '../models/model-catalogue.ts'
import { buildPrompt, cleanSceneWords, sceneWordsMax } from './build-prompt.ts'
import promptTemplate from './template.json' with { type: 'json' }

const build = (more: Partial<Parameters<typeof buildPrompt>[0]> = {}) =>
  buildPrompt({ scene: undefined, words: undefined, lengthMax: 2_000, ...more })

test('the prompt names both images and keeps identities', () => {
  const text = build({ scene: 'red-carpet' })
  expect(text).toContain('image 1')
  expect(text).toContain('image 2')
  expect(text).toContain('red carpet')
  expect(text).toContain('fully clothed adults')
  expect(text).not.toMatch(/[{}]/)
})

test('the user’s words stand in the scene slot only, quoted and without control of their own', () => {
  const words = '“at the beach”\n\n{scene} $& $1 `x` <b>\u202E\u0000 second face'
  const text = build({ words })
  expect(text).toContain('in the user’s words: “at the beach scene $& $1 x b second face”.')
  expect(text.match(/in the user’s words/g)).toHaveLength(1)
  expect(text.endsWith('without any lettering.')).toBe(true)
})

test('long words are cut, never the rules around them, down to what a model takes', () => {
  const lengthMax = openCatalogue().find('fal', 'fal-ai/qwen-image-2/edit').promptLengthMax
  const text = build({ words: '🎈 party '.repeat(100), lengthMax })
  expect(text.length).toBeLessThanOrEqual(lengthMax)
  expect(text).toContain('“🎈 party')
  expect(text.endsWith('without any lettering.')).toBe(true)
  expect(text.isWellFormed()).toBe(true)
  expect(cleanSceneWords('x'.repeat(1_000))).toHaveLength(sceneWordsMax)
})

test('which of several people is meant is said in words', () => {
  const text = build({ userPlace: 'person number 2 of 3 from the left' })
  expect(text).toContain('image 1 (the person number 2 of 3 from the left) standing')
})

test('one star and one person are both, more are all, and they are counted', () => {
  const secondStar = { place: undefined }
  expect(build()).toContain(
    'of the person in image 1 standing right beside the person in image 2, both looking',
  )
  expect(build()).toContain('Exactly two people')
  expect(build({ userCount: 1 })).toBe(build())
  const company = build({ userCount: 2 })
  expect(company).toContain('of the people in image 1 standing')
  expect(company).toContain('all looking')
  expect(company).toContain('Exactly three people')
  const stars = build({ secondStar })
  expect(stars).toContain('the person in image 2 and the person in image 3, all looking')
  expect(stars).toContain('Exactly three people')
  expect(build({ userCount: 2, secondStar })).toContain('Exactly four people')
  expect(build({ userCount: 3, secondStar })).toContain('Exactly 5 people')
})

test('where a star is in their photo is said of that star', () => {
  const text = build({ starPlace: 'left one', secondStar: { place: 'right one' } })
  expect(text).toContain('image 2 (the left one) and the person in image 3 (the right one)')
})

test('the scene’s own sentence stands there when there are no words, or no room for eight', () => {
  const scene = 'The place is the background of image 1.'
  expect(build()).toContain(scene)
  expect(build({ words: '\u0000 “” ' })).toBe(build())
  const words = 'at the seaside'
  const whole = build({ words })
  expect(whole).toContain('“at the seaside”')
  const withRoom = (room: number) => build({ words, lengthMax: whole.length - words.length + room })
  expect(withRoom(14)).toBe(whole)
  expect(withRoom(13)).toContain('“at the seasid”')
  expect(withRoom(8)).toContain('“at the s”')
  expect(withRoom(7)).toContain(scene)
  expect(withRoom(-99)).toContain(scene)
})

test('a background photo is the place, with the number of its image, and words are its mood', () => {
  const place = (number: number) => promptTemplate.sceneOfPhoto.replace('{number}', `${number}`)
  expect(build({ hasBackgroundPhoto: true })).toContain(place(3))
  const two = build({
    hasBackgroundPhoto: true,
    secondStar: { place: undefined },
    words: 'at dusk',
  })
  expect(two).toContain(place(4))
  expect(two).toContain(promptTemplate.moodOfWords.replace('{words}', 'at dusk'))
  expect(build({ hasBackgroundPhoto: false })).toBe(build())
})

test('words are trimmed, and their signs brought to one form', () => {
  expect(cleanSceneWords('  ﬁne\u00A0 \n day  ')).toBe('fine day')
  expect(cleanSceneWords(undefined)).toBe('')
  expect(cleanSceneWords(`${'x'.repeat(sceneWordsMax - 1)} y`)).toBe('x'.repeat(sceneWordsMax - 1))
})
