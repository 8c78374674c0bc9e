import { expect, it } from 'vitest'
import { creditsText, fill, formatMessage } from './fill.ts'

it('puts values into their places and leaves others alone', () => {
  expect(fill('Purchase ${price} {other} {toString}', { price: '19.90' })).toBe(
    'Purchase $19.90 {other} {toString}',
  )
})

it('does not read again what a value holds', () => {
  expect(fill('{a} {b}', { a: '{b}', b: '$&' })).toBe('{b} $&')
  const text = '{a, select, other {{b}}} {b}'
  expect(formatMessage(text, { a: '{b}', b: '{a, select, other {no}} #' }, 'en')).toBe(
    '{a, select, other {no}} # {a, select, other {no}} #',
  )
})

it('takes the form of one for one alone', () => {
  expect([0, 1, 2, 11, 21].map((credits) => creditsText(credits))).toEqual([
    '0 credits',
    '1 credit',
    '2 credits',
    '11 credits',
    '21 credits',
  ])
})

it('chooses by the categories of the language, and an exact number before them', () => {
  const text = '{count, plural, =0 {no picture} one {# picture} few {# few} other {# pictures}}'
  const told = (count: number, language: string) => formatMessage(text, { count }, language)
  expect([0, 1, 2].map((count) => told(count, 'en'))).toEqual([
    'no picture',
    '1 picture',
    '2 pictures',
  ])
  expect([1, 3, 21].map((count) => told(count, 'ru'))).toEqual(['1 picture', '3 few', '21 picture'])
  expect(told(1, 'zh')).toBe('1 pictures')
  const twice = '{count, plural, other {# of #}}'
  expect(formatMessage(twice, { count: 3 }, 'en')).toBe('3 of 3')
})

it('chooses words by a name, with values in them, and the last for any other', () => {
  const text = '{who, select, you {Your {thing}} other {Their {thing}}}'
  expect(formatMessage(text, { who: 'you', thing: 'face' }, 'en')).toBe('Your face')
  expect(formatMessage(text, { who: 'Ada', thing: 'face' }, 'en')).toBe('Their face')
})

it('leaves a choice of which the value is missing as it stands', () => {
  const text = 'Of {credits, plural, one {# credit} other {# credits}} and {who}'
  expect(formatMessage(text, {}, 'en')).toBe(text)
})
