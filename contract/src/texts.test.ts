import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import { errorTable, isErrorCode } from './errors.ts'
import { formatMessage } from './fill.ts'
import { languages, type Language } from './languages.ts'
import * as limits from './limits.ts'

const folder = fileURLToPath(new URL('texts/', import.meta.url))
const areas = readdirSync(`${folder}en`).map((file) => file.replace(/\.json$/, ''))
const others = languages.filter((language) => language !== 'en')

/** Every text of an area by its path: `statuses.pending.word`. */
function textsOf(area: string, language: Language): Map<string, string> {
  const file = readFileSync(`${folder}${language}/${area}.json`, 'utf8')
  return flatten(JSON.parse(file) as unknown)
}

function flatten(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]])
  const texts = new Map<string, string>()
  for (const [key, inner] of Object.entries(value as Record<string, unknown>)) {
    for (const [at, text] of flatten(inner, path ? `${path}.${key}` : key)) texts.set(at, text)
  }
  return texts
}

const placesOf = (text: string): Set<string> =>
  new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name = '']) => name))
const valuesOf = (text: string, value: number): Record<string, number> =>
  Object.fromEntries([...placesOf(text)].map((place) => [place, value]))

it('there is one folder a language, with the same areas', () => {
  expect(readdirSync(folder).toSorted()).toEqual(languages.toSorted())
  for (const language of languages) {
    expect(readdirSync(folder + language)).toEqual(readdirSync(`${folder}en`))
  }
})

describe.each(areas)('the %s texts', (area) => {
  it.each(others)('have in %s every key of the English ones, none empty', (language) => {
    const translated = textsOf(area, language)
    expect([...translated.keys()]).toEqual([...textsOf(area, 'en').keys()])
    expect([...translated].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it.each(others)('keep in %s the places for values', (language) => {
    const translated = textsOf(area, language)
    for (const [key, text] of textsOf(area, 'en')) {
      expect(placesOf(translated.get(key) ?? ''), key).toEqual(placesOf(text))
    }
  })

  it.each(others)('are in %s not left in English', (language) => {
    const translated = textsOf(area, language)
    const sentences = [...textsOf(area, 'en')].filter(([, text]) => text.split(' ').length > 3)
    const same = sentences.filter(([key, text]) => translated.get(key) === text).map(([key]) => key)
    expect(same).toEqual([])
  })

  it.each(languages)('say in %s what ICU MessageFormat makes of them', (language) => {
    for (const [key, text] of textsOf(area, language)) {
      for (const value of [0, 1, 2, 5, 21]) {
        const values = valuesOf(text, value)
        const expected = new IntlMessageFormat(text, language).format(values)
        expect(formatMessage(text, values, language), key).toBe(expected)
      }
    }
  })
})

/** A picture is described in full; a category is called by its name. */
const describedInFull = ['exampleAlts.', 'sharedAlt']
const filmsThemselves = ['starCategories.screen']

it.each(areas)(
  'the English %s texts are short: eight words a control, sixteen a sentence',
  (area) => {
    const long: string[] = []
    for (const [key, text] of textsOf(area, 'en')) {
      if (describedInFull.some((start) => key.startsWith(start))) continue
      const plain = text.replaceAll(
        /\{\w+, plural, (?:=0 \{(.*?)\} )?one \{.*?\} other \{(.*?)\}\}/g,
        '$1 $2',
      )
      for (const sentence of plain.split(/(?<=[.!?:…])\s+|\n+/)) {
        const words = sentence.split(/\s+/).filter((word) => /\w/.test(word))
        if (words.length > (/[.!?:…]$/.test(sentence) ? 16 : 8)) long.push(`${key}: ${sentence}`)
      }
    }
    expect(long).toEqual([])
  },
)

it.each(areas)('the English %s texts speak of pictures, not of film', (area) => {
  const found = [...textsOf(area, 'en')].filter(([, text]) =>
    /\b(?:film|exposures?|frames?|grain|negatives?|darkroom)\b/i.test(text),
  )
  expect(found.filter(([key]) => !filmsThemselves.includes(key))).toEqual([])
})

it.each(areas)('the English %s texts name nothing by a word of ours alone', (area) => {
  const found = [...textsOf(area, 'en').values()].filter((text) =>
    /\b(?:metadata|burnt|variations?|layers?|countdown|(?:its|these) parts)\b/i.test(text),
  )
  expect(found).toEqual([])
})

/** What would speak of how dark somebody is. */
const darkFaces: Record<Language, RegExp> = {
  en: /\b(?:face|skin)\b[^.]*\b(?:dark|black)\b/i,
  es: /\b(?:cara|piel)\b[^.]*(?:oscur|negr)/i,
  zh: /[脸肤][^。]*[黑暗]/,
}
it.each(languages)(
  'too little light is spoken of as light, never as a dark face, in %s',
  (language) => {
    const texts = areas.flatMap((area) => [...textsOf(area, language).values()])
    expect(texts.filter((text) => darkFaces[language].test(text))).toEqual([])
  },
)

it.each(languages)('one credit is spoken of as one in %s', (language) => {
  for (const area of areas) {
    for (const [key, text] of textsOf(area, language)) {
      const said = formatMessage(text, valuesOf(text, 1), language)
      expect(said, key).not.toMatch(/\b1 (?:credits|créditos|variations|variaciones|hours|horas)\b/)
    }
  }
})

it.each(languages)('every failure of the contract has a sentence in %s', (language) => {
  const codes = [...textsOf('errors', language).keys()]
  expect(Object.keys(errorTable).filter((code) => !codes.includes(code))).toEqual([])
  expect(codes.filter((code) => !isErrorCode(code))).toEqual([])
})

it.each(languages)('sentences about a limit name it in %s', (language) => {
  const sentences = textsOf('errors', language)
  const bounds: Partial<Record<keyof typeof errorTable, readonly number[]>> = {
    password_too_short: [limits.passwordLengthMin],
    password_too_long: [limits.passwordLengthMax],
    username_too_short: [limits.usernameLengthMin],
    username_too_long: [limits.usernameLengthMax],
    amount_invalid: [1, limits.consumeAmountMax],
    prompt_too_long: [limits.promptLengthMax],
    photo_too_large: [limits.uploadBytesMax / 1024 / 1024],
    people_too_many: [limits.headsMax, limits.starsMax],
    variations_too_many: [limits.adjustmentsMax],
  }
  for (const [code, named] of Object.entries(bounds)) {
    for (const bound of named)
      expect(sentences.get(code), code).toMatch(new RegExp(`\\b${bound}\\b`))
  }
})
