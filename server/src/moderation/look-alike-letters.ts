import lookAlikes from './look-alike-letters.json' with { type: 'json' }

/**
 * The Latin letter of each letter or sign of another alphabet that looks like it: Greek, Cyrillic, Armenian,
 * phonetic and small capitals, and capitals that look like another letter than their small ones do. A choice
 * from Unicode's table of confusables (UTS #39) of what people's keyboards and text fonts offer.
 */
const latinOf = new Map(
  [...Object.entries(lookAlikes.small), ...Object.entries(lookAlikes.capital)].flatMap(
    ([latin, others]) => Array.from(others, (other) => [other, latin] as const),
  ),
)

/** First letters of alphabets on coloured grounds, which have no decomposition in Unicode. */
const enclosedAlphabets = [0x1_f150, 0x1_f170, 0x1_f1e6]
const letterA = 0x61
const lettersInAlphabet = 26

/** Small Latin letters for all that look like them; everything else in lower case. */
export function toLatinLetters(text: string): string {
  const latin = (sign: string) => latinOf.get(sign) ?? ofEnclosed(sign)
  const toLatin = (sign: string) => latin(sign) ?? latin(sign.toLowerCase()) ?? sign.toLowerCase()
  return Array.from(text, toLatin).join('')
}

function ofEnclosed(sign: string): string | undefined {
  const code = sign.codePointAt(0) ?? 0
  const first = enclosedAlphabets.find((start) => code >= start && code < start + lettersInAlphabet)
  return first === undefined ? undefined : String.fromCodePoint(letterA + code - first)
}
