import { expect, it } from 'vitest'
import { mayBeHeic } from './decode-image.ts'

/** The `ftyp` box of an ISO base media file with this brand. */
const ofBrand = (brand: string): Blob => new Blob([`\0\0\0\u0018ftyp${brand}\0\0\0\0mif1`])

it.each([
  ['a phone\u2019s HEIC', ofBrand('heic'), true],
  ['a HEIC with the general brand first', ofBrand('mif1'), true],
  ['an AVIF, which the browser reads before', ofBrand('avif'), true],
  ['a JPEG', new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46])]), false],
  ['an empty file', new Blob(), false],
])('%s', async (_name, file, expected) => {
  expect(await mayBeHeic(file)).toBe(expected)
})
