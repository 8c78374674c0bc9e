import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { decodePicture } from './download-picture.ts'

const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64')

test('an animation’s format, a text and nothing at all are no pictures', async () => {
  const page = Buffer.from('<!doctype html><title>Not found</title>')
  for (const bytes of [gif, page, Buffer.alloc(0)]) {
    expect(() => decodePicture(bytes.toString('base64'))).toThrow('what came is not a picture')
  }
  const photo = await readFile(new URL('../../people/face-2/picture.jpg', import.meta.url))
  expect(decodePicture(photo.toString('base64')).length).toBe(photo.length)
})
