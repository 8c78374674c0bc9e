/**
 * Letters and signs of other alphabets that look like Latin letters, by the letter they look like:
 * Greek, Cyrillic, Armenian, phonetic and small capitals, each in lower case. A choice from Unicode's
 * table of confusables (UTS #39) of what people's keyboards and text fonts offer.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ∂',
  b: 'ьвʙβƅ',
  c: 'сϲᴄ¢ƈ',
  d: 'ԁɗᴅđժ',
  e: 'еєεᴇҽɛ',
  f: 'ғꜰƒ',
  g: 'ɡɢցǥ',
  h: 'нһʜհħ',
  i: 'іιɪıӏꙇ',
  j: 'јᴊʝ',
  k: 'кκᴋƙ',
  l: 'ⅼʟłɭ',
  m: 'мᴍ',
  n: 'пиηɴոռŋƞν',
  o: 'оοᴏσօø',
  p: 'рρᴘƿ',
  q: 'ԛզ',
  r: 'гяʀɾ',
  s: 'ѕꜱʂ',
  t: 'тτᴛŧ',
  u: 'υᴜսʋц',
  v: 'ѵᴠ',
  w: 'ѡᴡωшա',
  x: 'хχ×',
  y: 'уγʏүƴ',
  z: 'ᴢʐƶ',
}

/** Capitals that look like another letter than their small ones do. */
const capitalLookAlikes: Readonly<Record<string, string>> = {
  h: 'Η',
  m: 'Μ',
  y: 'Υ',
  z: 'Ζ',
}

const latinOf = new Map(
  [...Object.entries(lookAlikes), ...Object.entries(capitalLookAlikes)].flatMap(([latin, others]) =>
    Array.from(others, (other) => [other, latin] as const),
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
