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

it('names two stars in the reader’s language, and a star of one’s own photo last', () => {
  const both = ['Elena Vassandri', 'Henrik Solmark']
  expect(starTexts(both, messages).title).toBe('Selfie with Elena Vassandri and Henrik Solmark')
  expect(starTexts(both, spanish).name).toBe('Elena Vassandri y Henrik Solmark')
  expect(starTexts(both, chinese).name).toBe('Elena Vassandri和Henrik Solmark')
  const mixed = ['Custom photo', 'Henrik Solmark']
  const titles = [messages, spanish, chinese].map((texts) => starTexts(mixed, texts).title)
  expect(titles).toEqual([
    'Selfie with Henrik Solmark and your star',
    'Selfie con Henrik Solmark y tu estrella',
    '与Henrik Solmark和你的明星的自拍',
  ])
})

it.each([[['Custom photo']], [['Custom photo', 'Custom photo']]])(
  'calls %s alone your star, and before others a star',
  (celebrities) => {
    const { name, alt, title, tweet } = starTexts(celebrities, messages)
    expect([name, title]).toEqual(['your star', 'Selfie with your star'])
    expect(alt).toBe('Your selfie with your star, made with AI')
    expect(tweet).toContain('a selfie with a star!')
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
