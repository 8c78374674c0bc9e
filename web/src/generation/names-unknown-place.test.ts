import { expect, test } from 'vitest'
import { namesUnknownPlace } from './names-unknown-place.ts'

test.each([
  ['on the Great Wall of China', true],
  ['Smiling in front of the Eiffel Tower', true],
  ['Machu Picchu', true],
  ['en la Gran Muralla', true],
  ['我们在长城上', true],
  ['Eiffel Tower at night', true],
  ['a café in Paris', true],
  ['at the beach, at sunset', false],
  ['Sunset At The Beach', false],
  ['Dancing at a club', false],
  ['在海边', false],
  ['smiling', false],
  ['Black and white, please', false],
  ['warm evening light', false],
  ['los dos sonriendo, luz cálida', false],
  ['微笑，黑白照片', false],
  ['at', false],
  ['', false],
])('the words %j name a place that no scene shows: %s', (words, isUnknown) => {
  expect(namesUnknownPlace(words)).toBe(isUnknown)
})
