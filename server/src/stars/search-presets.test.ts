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
  tightCrop: false,
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

test('a category narrows the stars, and both count together', () => {
  const mixed = [...stars, { ...star('cy', 'Cy'), category: 'sport' as const }]
  const ids = (search: Parameters<typeof searchPresets>[1]) =>
    searchPresets(mixed, search).presets.map(({ id }) => id)
  expect(ids({})).toEqual(['ada', 'bo', 'cy'])
  expect(ids({ category: 'sport' })).toEqual(['cy'])
  expect(ids({ category: 'music', q: 'singh' })).toEqual(['bo'])
  expect(ids({ category: 'sport', q: 'singh' })).toEqual([])
})

test('lines in every language are searched, and a star may have none', () => {
  const translated = { ...star('di', 'Di'), line: { en: 'Singer', es: 'Cantante', zh: '歌手' } }
  const bare = { ...star('ed', 'Ed'), line: null }
  const ids = (q: string) => searchPresets([translated, bare], { q }).presets.map(({ id }) => id)
  expect([ids('cantante'), ids('歌手'), ids('ed'), ids('di singer')]).toEqual([
    ['di'],
    ['di'],
    ['ed'],
    ['di'],
  ])
})

test('two hundred stars make a page, and the next one goes on behind the last', () => {
  const many = Array.from({ length: 401 }, (_, index) => star(`s${index}`, 'Star'))
  const page = (count: number, after?: string) => {
    const { presets, nextCursor } = searchPresets(many.slice(0, count), { after })
    return [presets[0]?.id, presets.length, nextCursor]
  }
  expect(page(200)).toEqual(['s0', 200, null])
  expect(page(201)).toEqual(['s0', 200, 's199'])
  expect(page(401, 's199')).toEqual(['s200', 200, 's399'])
  expect(page(401, 's399')).toEqual(['s400', 1, null])
  expect(page(401, 'gone')).toEqual(['s0', 200, 's199'])
  expect(searchPresets([], {})).toEqual({ presets: [], nextCursor: null })
})
