import { errorTable } from '@starside/contract/errors.ts'
import { fill } from '@starside/contract/fill.ts'
import { describe, expect, it } from 'vitest'
import { languages, type Language } from '@starside/contract/languages.ts'
import type { Area } from './areas.ts'
import { loadCatalogue } from './catalogues.ts'

const areas: readonly Area[] = ['shell', 'auth', 'dashboard', 'trust', 'variations']
const others = languages.filter((language) => language !== 'en')

/** Every text of a catalogue by its path: `statusWords.pending`. */
function flatten(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]])
  const texts = new Map<string, string>()
  for (const [key, inner] of Object.entries(value as Record<string, unknown>)) {
    for (const [at, text] of flatten(inner, path ? `${path}.${key}` : key)) texts.set(at, text)
  }
  return texts
}

const placesOf = (text: string): Set<string> =>
  new Set([...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => name))
const textsOf = async (area: Area, language: Language) =>
  flatten(await loadCatalogue(area, language))

describe.each(areas)('the %s texts', (area) => {
  it.each(others)('have in %s every key of the English ones, none empty', async (language) => {
    const english = await textsOf(area, 'en')
    const translated = await textsOf(area, language)
    expect([...translated.keys()].toSorted()).toEqual([...english.keys()].toSorted())
    expect([...translated].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it.each(others)('keep in %s the places for values', async (language) => {
    const translated = await textsOf(area, language)
    for (const [key, text] of await textsOf(area, 'en')) {
      expect(placesOf(translated.get(key) ?? ''), key).toEqual(placesOf(text))
    }
  })

  it.each(others)('are in %s not left in English', async (language) => {
    const translated = await textsOf(area, language)
    const sentences = [...(await textsOf(area, 'en'))].filter(
      ([, text]) => text.split(' ').length > 3,
    )
    const same = sentences.filter(([key, text]) => translated.get(key) === text).map(([key]) => key)
    expect(same).toEqual(same.filter((key) => key === 'filmName'))
  })
})

it.each(languages)('one credit is spoken of as one in %s', async (language) => {
  for (const area of areas) {
    for (const [key, text] of await textsOf(area, language)) {
      const places = [...placesOf(text)].map((place) => [place, 1])
      const said = fill(text, Object.fromEntries(places))
      expect(said, key).not.toMatch(/\b1 (?:credits|créditos|variations|variaciones|hours|horas)\b/)
    }
  }
})

it.each(others)('every failure of the contract has a sentence in %s', async (language) => {
  const sentences = await loadCatalogue('errors', language)
  expect(Object.keys(errorTable).filter((code) => !(code in sentences))).toEqual([])
  expect(Object.keys(sentences).filter((code) => !(code in errorTable))).toEqual([])
})
