import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { mutateUpload } from '../testing/mutate-upload.ts'
import { normalisePhoto } from './normalise.ts'
import { PhotoError } from './photo-error.ts'

const mutationsPerKind = 150
const kinds = {
  jpeg: (photo: Sharp) => photo.jpeg(),
  'progressive jpeg': (photo: Sharp) => photo.jpeg({ progressive: true }),
  png: (photo: Sharp) => photo.png(),
  webp: (photo: Sharp) => photo.webp(),
  'lossless webp': (photo: Sharp) => photo.webp({ lossless: true }),
  gif: (photo: Sharp) => photo.gif(),
  avif: (photo: Sharp) => photo.avif({ effort: 0 }),
}

let photo: Buffer
beforeAll(async () => {
  photo = await sharp(fileURLToPath(new URL('../../fixtures/user-1.jpg', import.meta.url)))
    .resize(300)
    .withExif({ IFD0: { Make: 'Camera' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    .withIccProfile('p3')
    .png()
    .toBuffer()
})

describe('damaged files', () => {
  test.each(Object.entries(kinds))(
    'of %s are refused or read, nothing else',
    async (_kind, encode) => {
      const good = await encode(sharp(photo).keepMetadata()).toBuffer()
      for (let seed = 0; seed < mutationsPerKind; seed++) {
        const upload = mutateUpload(good, seed)
        try {
          const { widthPx, heightPx } = await normalisePhoto(upload)
          expect(Math.min(widthPx, heightPx)).toBeGreaterThanOrEqual(256)
          expect(Math.max(widthPx, heightPx)).toBeLessThanOrEqual(2048)
        } catch (error) {
          if (!(error instanceof PhotoError)) throw new Error(`seed ${seed}`, { cause: error })
        }
      }
    },
  )
})
