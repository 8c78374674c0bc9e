import { expect, test } from 'vitest'
import { sceneOfWords } from './scene-of-words.ts'
import sceneWords from './scene-words.json' with { type: 'json' }
import { sceneNames } from './scenes.ts'

test.each([
  ['Us on the red carpet, please', 'red-carpet'],
  ['en una noche de concierto', 'stage'],
  ['A coffee shop in Vienna', 'cafe'],
  ['en la playa al atardecer', 'beach-dusk'],
  ['在体育场看足球', 'stadium'],
  ['夜晚的霓虹灯下', 'city-night'],
  ['A sunny street in Lisbon', 'sunny-street'],
  ['a walk in the woods', 'forest'],
  ['photo studio', 'studio'],
  ['dancing in CLUBS', 'stage'],
  ['with a nightingale', undefined],
  ['', undefined],
] as const)('the words %j name %s', (words, scene) => {
  expect(sceneOfWords(words)).toBe(scene)
})

test('every scene that ships can be named', () => {
  const shipped = sceneNames.filter((name) => name !== 'own')
  expect(Object.keys(sceneWords).toSorted()).toEqual(shipped.toSorted())
})
