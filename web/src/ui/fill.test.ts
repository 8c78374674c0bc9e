import { expect, it } from 'vitest'
import { fill } from './fill.ts'

it('puts values into their places and leaves others alone', () => {
  expect(fill('Purchase ${price} {other}', { price: '19.90' })).toBe('Purchase $19.90 {other}')
})
