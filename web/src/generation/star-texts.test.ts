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

it('names two stars in the reader’s language, and a photo of one’s own as a friend, who stands last', () => {
  const both = ['Elena Vassandri', 'Henrik Solmark']
  expect(starTexts(both, messages).title).toBe('Selfie with Elena Vassandri and Henrik Solmark')
  expect(starTexts(both, spanish).name).toBe('Elena Vassandri y Henrik Solmark')
  expect(starTexts(both, chinese).name).toBe('Elena Vassandri和Henrik Solmark')
  const mixed = ['Custom photo', 'Henrik Solmark']
  const titles = [messages, spanish, chinese].map((texts) => starTexts(mixed, texts).title)
  expect(titles).toEqual([
    'Selfie with Henrik Solmark and a friend',
    'Selfie con Henrik Solmark y alguien especial',
    '与Henrik Solmark和一位朋友的自拍',
  ])
})

it.each([[['Custom photo']], [['Custom photo', 'Custom photo']]])(
  'calls %s alone a friend',
  (celebrities) => {
    const { name, alt, title, tweet } = starTexts(celebrities, messages)
    expect([name, title]).toEqual(['a friend', 'Selfie with a friend'])
    expect([alt, tweet].join()).not.toContain('Custom photo')
  },
)

it('names nobody where it is not known who is in the picture', () => {
  const { title, tweet } = starTexts(undefined, messages)
  expect(title).toBe(messages.frameTitlePlain)
  expect(tweet).toContain('a selfie with a star!')
})

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
