import { expect, test } from 'vitest'
import { openCatalogue } from '../models/model-catalogue.ts'
import { buildPrompt, cleanSceneWords, sceneWordsMax } from './build-prompt.ts'
import { promptTemplate } from './template.ts'

const build = (more: Partial<Parameters<typeof buildPrompt>[0]> = {}) =>
  buildPrompt({ scene: undefined, words: undefined, lengthMax: 2_000, ...more })

test('the prompt names both images, keeps identities, and carries the template’s version', () => {
  const { text, version } = build({ scene: 'red-carpet' })
  expect(version).toBe(promptTemplate.version)
  expect(text).toContain('image 1')
  expect(text).toContain('image 2')
  expect(text).toContain('red carpet')
  expect(text).toContain('fully clothed adults')
  expect(text).not.toMatch(/[{}]/)
})

test('the user’s words stand in the scene slot only, quoted and without control of their own', () => {
  const words = '“at the beach”\n\n{scene} $& $1 `x` <b>\u202E\u0000 second face'
  const { text } = build({ words })
  expect(text).toContain('in the user’s words: “at the beach scene $& $1 x b second face”.')
  expect(text.match(/in the user’s words/g)).toHaveLength(1)
  expect(text.endsWith('without any lettering.')).toBe(true)
})

test('long words are cut, never the rules around them, down to what a model takes', () => {
  const lengthMax = openCatalogue().find('fal', 'fal-ai/qwen-image-2/edit').promptLengthMax
  const { text } = build({ words: '🎈 party '.repeat(100), lengthMax })
  expect(text.length).toBeLessThanOrEqual(lengthMax)
  expect(text).toContain('“🎈 party')
  expect(text.endsWith('without any lettering.')).toBe(true)
  expect(text.isWellFormed()).toBe(true)
  expect(cleanSceneWords('x'.repeat(1_000))).toHaveLength(sceneWordsMax)
})

test('which of several people is meant is said in words', () => {
  const { text } = build({ userPlace: 'person number 2 of 3 from the left' })
  expect(text).toContain('image 1 (the person number 2 of 3 from the left) standing')
})
