import { expect, test } from 'vitest'
import { linkInLanguage, shareDestinations, shareIntentUrl } from './sharing.ts'

const text = 'Me & a star'
const link = 'https://selfie.example/?ref=ADA12345&selfie=AAAA'

test.each([
  ['whatsapp', { text: `${text} ${link}` }],
  ['telegram', { url: link, text }],
  ['facebook', { u: link }],
  ['bluesky', { text: `${text} ${link}` }],
  ['line', { url: link, text }],
  ['weibo', { url: link, title: text }],
  ['mail', { subject: text, body: `${text}\n\n${link}` }],
])('%s takes text and link by the names that it documents', (id, parameters) => {
  const address = shareDestinations.find((one) => one.id === id)?.address(text, link) ?? ''
  expect(Object.fromEntries(new URL(address).searchParams)).toEqual(parameters)
})

test('every destination has its own name, and the list above has them all', () => {
  expect(shareDestinations.map(({ id }) => id)).toHaveLength(7)
  expect(new Set(shareDestinations.map(({ name }) => name)).size).toBe(7)
})

test('the intent carries text, link and hashtags', () => {
  const { host, searchParams } = new URL(shareIntentUrl(text, link, ['a', 'b']))
  expect(host).toBe('x.com')
  expect(Object.fromEntries(searchParams)).toEqual({ text, url: link, hashtags: 'a,b' })
})

test('a link names its language where that isn’t the default one', () => {
  expect([linkInLanguage(link, 'en'), linkInLanguage(link, 'es')]).toEqual([
    link,
    `${link}&lang=es`,
  ])
})
