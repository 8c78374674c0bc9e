import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { loadForbiddenWords } from './forbidden-words.ts'
import type { FindForbiddenWord } from './forbidden-words.ts'

let find: FindForbiddenWord
beforeAll(async () => {
  find = await loadForbiddenWords()
})

test.for([
  'nude',
  'A NUDE photo',
  'nuuuude please',
  'n u d e',
  'a n u d e, please',
  'n u d e x',
  'I want n 0 d e s n u d e',
  'n.u.d.e.',
  'n-u-d-e on a beach',
  'nu-de',
  'n00dity? no: nud1ty',
  'núde',
  'ｎｕｄｅ',
  'nu\u200bde',
  'nаked with a Cyrillic a',
  'пude, иude and нitler in Cyrillic',
  'ΝUDE and nυde in Greek',
  'with Ηitler, whose capital is an Eta',
  'ոude in Armenian',
  'ɴᴜᴅᴇ in small capitals',
  '𝓃𝓊𝒹ℯ and 🅝🅤🅓🅔',
  '🇳🇺🇩🇪',
  'n\u0336u\u0336d\u0336e\u0336 struck through',
  'n|u|d|e',
  'nude1',
  'nuud3 please',
  'naaked',
  'nnaakkeedd',
  'pr0n',
  'without any clothes',
  'p0rn star',
  'pornographic',
  'h1tler',
  'without   clothes',
  'undressed',
  'desnuda en la playa',
  'DESNÚDOS',
  'lencería roja',
  '我们全裸在海边',
  '色 情',
  '色.情',
  '裸體',
  '沒穿衣服',
  '在 海边 没 穿 衣服',
])('refuses: %s', (text) => {
  expect(find(text)).toBeTypeOf('string')
})

test.for([
  ['zero-width space', '\u200b'],
  ['soft hyphen', '\u00ad'],
  ['word joiner', '\u2060'],
  ['Hangul filler', '\u3164'],
  ['half-width Hangul filler', '\uffa0'],
  ['Hangul initial filler', '\u115f'],
  ['Hangul medial filler', '\u1160'],
  ['Khmer inherent vowel', '\u17b4'],
  ['Mongolian vowel separator', '\u180e'],
  ['combining grapheme joiner', '\u034f'],
  ['variation selector', '\ufe0f'],
  ['tag letter', '\u{e0061}'],
  ['blank Braille pattern', '\u2800'],
])('a %s hides no word', ([, hidden]) => {
  expect(find(`nu${hidden}de`)).toBeTypeOf('string')
  expect(find(`全${hidden}裸`)).toBeTypeOf('string')
})

test.for([
  'warm evening light, a friendly smile',
  'in Essex with a bunch of grapes',
  'a therapist and a drape',
  'Scunthorpe United scarf, cockatoo on the shoulder',
  'denuded trees in autumn',
  'I rapped on stage, the pen is mine',
  'Ένα ηλιοβασίλεμα στη θάλασσα',
  'закат у моря, тёплый свет',
  'a moon over the wood, keen and cool',
  'we are at a Nazareth market',
  'I am 1 of 3 people, 50 % off!',
  'a b c d e f g',
  'children’s choir in the background, family friendly',
  'un vestido rojo y una sonrisa',
  'en el pene-trante frío'.replace('pene-trante', 'penetrante'),
  '我们在海边看日落，穿着礼服',
  '',
])('lets pass: %s', (text) => {
  expect(find(text)).toBeUndefined()
})

test.each([
  'a'.repeat(299) + 'h',
  '🅰'.repeat(299) + 'b',
  'aabb'.repeat(75),
  'a '.repeat(150) + '1',
])(
  'any three hundred letters are read at once: %s',
  (text) => expect(find(text)).toBeUndefined(),
  5_000,
)

test('an operator adds words of their own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'starside-words-'))
  try {
    const file = join(folder, 'own.txt')
    await writeFile(file, '# politics\nelection rally # of any party\n')
    const own = await loadForbiddenWords(file)
    expect(own('at an Election   Rally')).toBe('election rally')
    expect(own('nude')).toBe('nude')
    expect(find('election rally')).toBeUndefined()
  } finally {
    await rm(folder, { recursive: true })
  }
})
