import { expect, test } from 'vitest'
import { hidePictureAddresses } from './picture-reference.ts'

test('addresses that open a picture are hidden, wherever they stand in a text', () => {
  const text =
    'see "https://a.example/?selfie=x", /api/shares/y/card.jpg <b?signature=z> and /pictures'
  expect(hidePictureAddresses(text)).toBe(
    'see "[a picture]", [a picture] <[a picture]> and /pictures',
  )
})

test('a long text without spaces is read once, not once from each of its letters', () => {
  const long = 'a'.repeat(2_000_000)
  expect(hidePictureAddresses(long)).toBe(long)
})
