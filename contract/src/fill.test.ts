import { expect, it } from 'vitest'
import { creditsText, fill } from './fill.ts'

it('puts values into their places and leaves others alone', () => {
  expect(fill('Purchase ${price} {other} {toString}', { price: '19.90' })).toBe(
    'Purchase $19.90 {other} {toString}',
  )
})

it('does not read again what a value holds', () => {
  expect(fill('{a} {b}', { a: '{b}', b: '$&' })).toBe('{b} $&')
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
