import { expect, it } from 'vitest'
import { messages } from '../ui/messages/dashboard.en.ts'
import { starTexts } from './star-texts.ts'

it('names the star of a preset', () => {
  expect(starTexts('Elena Vassandri', messages)).toMatchObject({
    name: 'Elena Vassandri',
    alt: 'Your selfie with Elena Vassandri, made with AI',
    title: 'Selfie with Elena Vassandri',
    tweet: expect.stringContaining('a selfie with Elena Vassandri!'),
  })
})

it.each(['Custom photo', undefined])('speaks of %s without a name', (celebrity) => {
  const texts = starTexts(celebrity, messages)
  expect(texts.tweet).toContain('a selfie with a star!')
  expect([texts.alt, texts.title].join()).not.toContain('Custom photo')
})
