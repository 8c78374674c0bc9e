import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import lookAlikes from './look-alike-letters.json' with { type: 'json' }
import { readEntries } from '../platform/settings/read-entries.ts'

const shippedFolder = fileURLToPath(new URL('../../forbidden-words/', import.meta.url))

/** Tells whether a text contains a forbidden word; answers the list's entry, or undefined. */
export type FindForbiddenWord = (text: string) => string | undefined

/** Reads the shipped lists and the operator's own; all count, as no wish names its language. */
export async function loadForbiddenWords(ownFile?: string): Promise<FindForbiddenWord> {
  const shipped = (await readdir(shippedFolder)).filter((name) => name.endsWith('.txt'))
  const files = [...shipped.map((name) => shippedFolder + name), ...(ownFile ? [ownFile] : [])]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return createWordFilter(texts.flatMap(readEntries))
}

/** Finds whole words of a list despite accents, digits for letters, letters apart or drawn out. */
export function createWordFilter(entries: string[]): FindForbiddenWord {
  const patterns = entries.map((entry) => ({
    entry,
    pattern: toPattern(entry),
    within: lettersOf(entry),
  }))
  return (text) => {
    const readings = readingsOf(text)
    // In 'a n u d e' nobody can tell where the word begins.
    const spelt = readings.flatMap((reading) => reading.match(spacedLetters) ?? []).map(lettersOf)
    return patterns.find(
      ({ pattern, within }) =>
        readings.some((reading) => pattern.test(reading)) ||
        (within !== '' && spelt.some((letters) => letters.includes(within))),
    )?.entry
  }
}

/** The letters of a text alone. */
function lettersOf(text: string): string {
  return plainLetters(text).replaceAll(/[^\p{L}]/gu, '')
}

function toPattern(entry: string): RegExp {
  const word = plainLetters(entry)
  // Chinese is written without spaces, so an entry counts wherever it stands.
  if (/\p{Script=Han}/u.test(word)) return new RegExp(word.replaceAll(' ', ''), 'u')
  const isStem = entry.endsWith('*')
  const letters = word.replace(/\*$/, '').trim().replaceAll(' ', ' +')
  return new RegExp(`(?<![\\p{L}\\p{N}])${letters}${isStem ? '' : '(?![\\p{L}\\p{N}])'}`, 'u')
}

/** The ways in which a text may be meant: as it stands, and with each disguise taken off. */
function readingsOf(text: string): string[] {
  const plain = plainLetters(text)
  const bare = [plain, plain.replaceAll(/\p{N}+/gu, ' '), ...withLettersForSigns(plain)]
  const joined = bare.flatMap((reading) => [
    reading,
    // n-u-d-e, n.u.d.e, nu_de
    reading.replaceAll(/(?<=\p{L})[^\p{L}\p{N}\s]+(?=\p{L})/gu, ''),
  ])
  const shortened = joined.flatMap((reading) => [
    reading,
    reading.replaceAll(/(\p{L})\1{2,}/gu, '$1'),
    reading.replaceAll(/(\p{L})\1{2,}/gu, '$1$1'),
    // Not consonants: who rapped is not somebody who raped.
    reading.replaceAll(/([aeiou])\1+/gu, '$1'),
    undoubleWords(reading),
  ])
  return [...new Set([...shortened, ...(/\p{Script=Han}/u.test(plain) ? [lettersOf(text)] : [])])]
}

/** Lower case, compatibility forms resolved (full-width, ligatures), no accents, no hidden signs. */
function plainLetters(text: string): string {
  const seen = text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
  return toLatinLetters(seen)
}

/** Digits and signs read as letters, with a 1 as either of the two that it looks like. */
function withLettersForSigns(text: string): string[] {
  const letters = Array.from(text, (sign) => letterOfSign.get(sign) ?? sign).join('')
  return letters.includes('1')
    ? [letters.replaceAll('1', 'i'), letters.replaceAll('1', 'l')]
    : [letters]
}

/** 'nnuuddee' → 'nude': words in which no letter stands alone. */
function undoubleWords(text: string): string {
  return text.replaceAll(/(?<!\p{L})(?:(\p{L})\1+(?!\1)){3,}(?!\p{L})/gu, (word) =>
    word.replaceAll(/(\p{L})\1+/gu, '$1'),
  )
}

/** Three single letters or more in a row. */
const spacedLetters = /(?<![\p{L}\p{N}])\p{L}(?:[^\p{L}\p{N}]+\p{L}){2,}(?![\p{L}\p{N}])/gu

/**
 * The Latin letter of each letter or sign of another alphabet that looks like it: Greek, Cyrillic, Armenian,
 * phonetic and small capitals, and capitals that look like another letter than their small ones do. A choice
 * from Unicode's table of confusables (UTS #39) of what people's keyboards and text fonts offer.
 */
const latinOf = new Map([...pairsOf(lookAlikes.small), ...pairsOf(lookAlikes.capital)])
const letterOfSign = new Map(pairsOf(lookAlikes.signs))

function pairsOf(table: Record<string, string>) {
  return Object.entries(table).flatMap(([latin, others]) =>
    Array.from(others, (other) => [other, latin] as const),
  )
}

/** First letters of alphabets on coloured grounds, which have no decomposition in Unicode. */
const enclosedAlphabets = [0x1_f150, 0x1_f170, 0x1_f1e6]
const letterA = 0x61
const lettersInAlphabet = 26

/** Small Latin letters for all that look like them; everything else in lower case. */
function toLatinLetters(text: string): string {
  const latin = (sign: string) => latinOf.get(sign) ?? ofEnclosed(sign)
  const toLatin = (sign: string) => latin(sign) ?? latin(sign.toLowerCase()) ?? sign.toLowerCase()
  return Array.from(text, toLatin).join('')
}

function ofEnclosed(sign: string): string | undefined {
  const code = sign.codePointAt(0) ?? 0
  const first = enclosedAlphabets.find((start) => code >= start && code < start + lettersInAlphabet)
  return first === undefined ? undefined : String.fromCodePoint(letterA + code - first)
}
