import { expect, it } from 'vitest'
import messages from '@starside/contract/texts/en/dashboard.json'
import spanish from '@starside/contract/texts/es/dashboard.json'
import chinese from '@starside/contract/texts/zh/dashboard.json'
import { starTexts } from './star-texts.ts'
import { testStar } from './testing/test-star.ts'
import { lineOf } from './use-presets.ts'

it('names the star of a preset', () => {
  expect(starTexts(['Elena Vassandri'], messages)).toMatchObject({
    name: 'Elena Vassandri',
    alt: 'Your selfie with Elena Vassandri, made with AI',
    title: 'Selfie with Elena Vassandri',
    tweet: expect.stringContaining('a selfie with Elena Vassandri!'),
  })
})

it('names two stars in the reader’s language, and a photo of one’s own as such', () => {
  const both = ['Elena Vassandri', 'Henrik Solmark']
  expect(starTexts(both, messages).title).toBe('Selfie with Elena Vassandri and Henrik Solmark')
  expect(starTexts(both, spanish).name).toBe('Elena Vassandri y Henrik Solmark')
  expect(starTexts(both, chinese).name).toBe('Elena Vassandri 和 Henrik Solmark')
  const mixed = ['Custom photo', 'Henrik Solmark']
  expect(starTexts(mixed, messages).name).toBe('Custom photo and Henrik Solmark')
})

it.each([[['Custom photo']], [['Custom photo', 'Custom photo']], [undefined]])(
  'speaks of %s without a name',
  (celebrities) => {
    const texts = starTexts(celebrities, messages)
    expect(texts.tweet).toContain('a selfie with a star!')
    expect([texts.alt, texts.title].join()).not.toContain('Custom photo')
    expect(texts.title).toBe(messages.frameTitlePlain)
  },
)

it('the words of the operator name the star', () => {
  const own = 'Look who is here: {celebrity}'
  expect(starTexts(['Elena Vassandri'], messages, own).tweet).toBe(
    'Look who is here: Elena Vassandri',
  )
})

it('what a star is known for has the reader’s language, else the default one', () => {
  const line = { en: 'sings', es: 'canta' }
  const star = testStar({ line })
  expect((['en', 'es', 'zh'] as const).map((language) => lineOf(star, language))).toEqual([
    'sings',
    'canta',
    'sings',
  ])
})
