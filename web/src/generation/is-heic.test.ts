import { expect, it } from 'vitest'
import { isHeic } from './prepare-photo.ts'

/** The `ftyp` box of an ISO base media file with these brands. */
function fileHead(...brands: string[]): Uint8Array {
  const [major = '', ...compatible] = brands
  const size = 16 + compatible.length * 4
  const bytes = new Uint8Array(64)
  new DataView(bytes.buffer).setUint32(0, size)
  const text = `ftyp${major}\0\0\0\0${compatible.join('')}`
  bytes.set(new TextEncoder().encode(text), 4)
  return bytes
}

it.each([
  ['a phone\u2019s HEIC', fileHead('heic', 'mif1', 'heic'), true],
  ['a HEIC with the general brand first', fileHead('mif1', 'mif1', 'heic'), true],
  ['an AVIF', fileHead('avif', 'mif1', 'miaf'), false],
  ['an AVIF with the general brand first', fileHead('mif1', 'avif'), false],
  ['an MP4', fileHead('isom', 'mp42'), false],
  [
    'a JPEG',
    new Uint8Array([0xff, 0xd8, 0xff, 0xe0, ...Array.from({ length: 60 }, () => 0)]),
    false,
  ],
  ['an empty file', new Uint8Array(0), false],
])('%s', (_name, head, expected) => {
  expect(isHeic(head)).toBe(expected)
})
