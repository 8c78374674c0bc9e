import { expect, it } from 'vitest'
import { messages } from '../ui/messages/dashboard.en.ts'
import { starTexts } from './star-texts.ts'

it('names the star of a preset', () => {
  expect(starTexts('Zuvia', messages)).toMatchObject({
    name: 'Zuvia',
    alt: 'Your selfie with Zuvia, made with AI',
    title: 'Selfie with Zuvia',
    tweet: expect.stringContaining('a selfie with Zuvia!'),
  })
})

it.each(['Custom photo', undefined])('speaks of %s without a name', (celebrity) => {
  const texts = starTexts(celebrity, messages)
  expect(texts.tweet).toContain('a selfie with a star!')
  expect([texts.alt, texts.title].join()).not.toContain('Custom photo')
})
