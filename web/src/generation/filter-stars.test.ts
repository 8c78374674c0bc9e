import { expect, it } from 'vitest'
import { filterStars, lineOf } from './use-presets.ts'
import { testStar } from './testing/test-star.ts'

const line = { en: 'sings on ships', es: 'la voz de los barcos', zh: '船上的歌声' }
const stars = [
  testStar({ name: 'Ana Belén Ruíz', category: 'music', line }),
  testStar({ name: 'Otto Vale', category: 'kitchen' }),
  testStar({ name: 'Ann Ruiz', category: 'kitchen', line: { ...line, en: 'bakes' } }),
]

it.each([
  ['', null, ['Ana Belén Ruíz', 'Otto Vale', 'Ann Ruiz']],
  ['  ', 'kitchen', ['Otto Vale', 'Ann Ruiz']],
  ['ruiz', null, ['Ana Belén Ruíz', 'Ann Ruiz']],
  ['RUÍZ an', 'kitchen', ['Ann Ruiz']],
  ['ships ana', null, ['Ana Belén Ruíz']],
  ['barcos', null, []],
  ['nobody', null, []],
] as const)('%j in %s finds %j', (query, category, found) => {
  const shown = filterStars(stars, { query, category }, 'en')
  expect(shown.map(({ name }) => name)).toEqual(found)
})

it('searches the lines in the reader’s language', () => {
  const found = filterStars(stars, { query: '歌声', category: null }, 'zh')
  expect(found.map(({ name }) => name)).toEqual(['Ana Belén Ruíz', 'Ann Ruiz'])
})

it('says what a star is known for in the default language where the reader’s is missing', () => {
  const star = testStar({ line: { en: 'sings on ships' } })
  expect(lineOf(star, 'es')).toBe('sings on ships')
  expect(lineOf(testStar({ line }), 'es')).toBe('la voz de los barcos')
})
