import sharp from 'sharp'
import { expect, it, test } from 'vitest'
import { languages, type Language } from '@starside/contract/languages.ts'
import { drawable, isDrawable, makeCard, wrapText } from './make-card.ts'
import { serverMessages } from '../../platform/messages/texts.ts'
import { fill } from '@starside/contract/fill.ts'
import { titleOf } from './share-card.ts'

const red = { r: 200, g: 30, b: 30 }
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: red } })
    .png()
    .toBuffer()
const words = {
  title: 'A selfie with Zoë Ångström',
  note: 'a',
  call: 'b',
  markText: undefined,
  aiLabel: 'off',
  systemName: 'Café Étoile',
  systemVersion: '1.2.3',
} as const

/** Where the picture ends on the card, and how many pixels of the rest are light. */
async function look(card: Buffer): Promise<{ edge: number; light: number }> {
  const { data, info } = await sharp(card).raw().toBuffer({ resolveWithObject: true })
  const redAt = (x: number, y: number): number => data[(y * info.width + x) * 3] ?? 0
  let edge = 0
  while (edge < info.width && redAt(edge, 300) > 150) edge += 1
  let light = 0
  for (let y = 40; y < 590; y += 1) {
    for (let x = edge + 8; x < info.width; x += 1) if (redAt(x, y) > 150) light += 1
  }
  return { edge, light }
}

test.for([
  ['upright', 1024, 1280, 504],
  ['square', 1080, 1080, 630],
  ['wide', 1920, 1080, 660],
] as const)('an %s picture stands beside the words', async ([, width, height, edge]) => {
  const card = await makeCard(await picture(width, height), words)
  expect(await sharp(card).metadata()).toMatchObject({ width: 1200, height: 630, format: 'jpeg' })
  const seen = await look(card)
  expect(Math.abs(seen.edge - edge)).toBeLessThanOrEqual(4)
  expect(seen.light, 'words are drawn').toBeGreaterThan(3_000)
})

test.for([
  ['upright', 1024, 1280, false],
  ['high', 864, 1536, true],
  ['wide', 1536, 864, true],
] as const)('an %s picture keeps its brand mark on the card', async ([, width, height, isCut]) => {
  const file = await picture(width, height)
  const pixelsOf = async (markText: string | undefined) =>
    await sharp(await makeCard(file, { ...words, markText }))
      .raw()
      .toBuffer()
  const isMarked = !(await pixelsOf('starside.example')).equals(await pixelsOf(undefined))
  expect(isMarked, 'it is drawn anew where the cut took it away').toBe(isCut)
})

it('draws Latin letters with their accents, rarer ones without, and knows what it cannot draw', async () => {
  expect(['Zoë Ångström', 'Łukasz', '李小龙', '<svg>'].map(isDrawable)).toEqual([
    true,
    false,
    false,
    true,
  ])
  const file = await picture(100, 125)
  const card = (title: string) => makeCard(file, { ...words, title })
  expect(await card('Zoë')).not.toEqual(await card('Zoe'))
  expect(await card('Mihăi')).toEqual(await card('Mihai'))
})

test.for(languages)('there are outlines for all words of cards in %s', (language) => {
  const { shared, unnamedStar, sharedPlain, picture: inside } = serverMessages[language].card
  const celebrity = new Intl.ListFormat(language).format(['Zoë', unnamedStar])
  for (const text of [fill(shared, { celebrity }), sharedPlain, ...Object.values(inside)]) {
    expect(drawable(text)).toBe(text)
  }
})

it('breaks lines between words and Han characters, and cuts what is too long', () => {
  expect(wrapText('A selfie with Elena Vassandri', 9.6, 4)).toEqual([
    'A selfie with',
    'Elena Vassandri',
  ])
  expect(wrapText('one two three', 1.8, 2)).toEqual(['one', 'two…'])
  expect(wrapText('与Elena Vassandri的自拍', 9, 4)).toEqual(['与Elena', 'Vassandri的自拍'])
  expect(wrapText('一张自拍，你和明星', 4, 4)).toEqual(['一张自', '拍，你和', '明星'])
})

it('names the stars in the reader’s language, and a photo of one’s own as a star, who stands last', () => {
  const title = (language: Language, ...names: string[]) =>
    titleOf(
      { celebrity: names.join(' and '), star_names: names.length > 1 ? names : null },
      language,
    )
  expect(title('es', 'Elena {brand}')).toBe('Un selfie con Elena {brand}')
  expect(title('es', 'Salt and Pepper', 'Bo')).toBe('Un selfie con Salt and Pepper y Bo')
  expect(languages.map((language) => title(language, 'Custom photo', 'Bo'))).toEqual([
    'A selfie with Bo and a star',
    '与Bo和一位明星的自拍',
    'Un selfie con Bo y una estrella',
  ])
  expect(title('en', 'Custom photo')).toBe('A selfie with a star')
  expect(title('en', 'Custom photo', 'Custom photo')).toBe('A selfie with a star')
  expect(fill('{brand} {none}', { brand: '{none}' })).toBe('{none} {none}')
})
