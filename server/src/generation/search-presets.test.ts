import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { expect, test, vi } from 'vitest'
import { searchPresets } from './search-presets.ts'

const star = (id: string, name: string): CelebrityPreset => ({
  id,
  name,
  image: `/api/presets/${id}.jpg`,
  thumbnail: { avif: null, jpeg: `/api/presets/${id}.jpg` },
  category: 'music',
  line: { en: 'A singer' },
  licence: 'CC0',
  attribution: '',
  aiGenerated: true,
})
const stars = [star('ada', 'Áda Lové'), star('bo', 'Bo Singh')]
const find = (q: string) => searchPresets(stars, { q }).presets.map(({ id }) => id)

test('every word of the search stands in the name or the line, whatever its case and accents', () => {
  expect(find('LOVE')).toEqual(['ada'])
  expect(find('sing')).toEqual(['ada', 'bo'])
  expect(find('  singer  bo ')).toEqual(['bo'])
  expect(find('singer xyz')).toEqual([])
  expect(find(' ')).toEqual(['ada', 'bo'])
})

test('a word that is repeated fifty times costs as much as one', () => {
  find('a')
  const includes = vi.spyOn(String.prototype, 'includes')
  find('a '.repeat(50))
  const looks = includes.mock.calls.filter(([word]) => word === 'a').length
  includes.mockRestore()
  expect(looks).toBe(stars.length)
})
