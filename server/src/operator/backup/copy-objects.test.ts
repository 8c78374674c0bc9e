import { expect, test } from 'vitest'
import { mediaTypeOf } from './data-files.ts'

test.each([
  ['pictures/a/1-clean.jpg', 'image/jpeg'],
  ['stars/a/preview.webp', 'image/webp'],
  ['stars/a/small.avif', 'image/avif'],
  ['brand/0123.png', 'image/png'],
  ['pictures/v1.jpg/layers', 'application/octet-stream'],
  ['stars/a/measures.json', 'application/octet-stream'],
])('%s is put back as %s', (key, mediaType) => {
  expect(mediaTypeOf(key)).toBe(mediaType)
})
