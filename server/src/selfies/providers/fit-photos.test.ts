import { createEngine } from '@starside/engine/engine.ts'
import { selfieAspects } from '@starside/contract/scenes.ts'
import { forceSize } from '../../testing/vendors/force-size.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { limitsOf } from '../../vendors/models/model-description.ts'
import { openCatalogue } from '../../vendors/models/model-catalogue.ts'
import { fitPhotos } from './prepare-request.ts'

const engine = createEngine()
/** Faces where a cut around the middle would take them away. */
const places = [
  { x: 0.01, y: 0.3, width: 0.2, height: 0.3 },
  { x: 0.79, y: 0.02, width: 0.2, height: 0.3 },
  { x: 0.4, y: 0.69, width: 0.2, height: 0.3 },
]

test.for(['sdcpp'] as const)(
  '%s keeps every face whole in every shape, though it forces photos into the size',
  async (provider) => {
    const limits = limitsOf(openCatalogue().find(provider, 'flux-2-klein-4b'), undefined)
    for (const aspect of selfieAspects) {
      const size = limits.photoSize(aspect)!
      for (const [index, face] of places.entries()) {
        const photo = await drawPhoto(face, index % 2 === 0 ? [1600, 700] : [700, 1600])
        const finder = {
          ...engine,
          inspect: async () => ({
            widthPx: photo.widthPx,
            heightPx: photo.heightPx,
            faces: [{ ...face, isMain: true, refusals: [], hints: [] }],
            refusals: [],
            hints: [],
          }),
        }
        const request = { prompt: '', userPhoto: photo, starPhotos: [photo], aspect, count: 1 }
        const fitted = await fitPhotos(finder, limits, request)
        expect([fitted.userPhoto.widthPx, fitted.userPhoto.heightPx]).toEqual([
          size.widthPx,
          size.heightPx,
        ])
        const sizeText = `${size.widthPx}x${size.heightPx}`
        const [forced] = await forceSize([Buffer.from(fitted.userPhoto.bytes)], sizeText)
        const shown = await boxOfRed(forced!)
        const expected = (face.width * photo.widthPx) / (face.height * photo.heightPx)
        expect(shown.width / shown.height).toBeGreaterThan(expected * 0.95)
        expect(shown.width / shown.height).toBeLessThan(expected * 1.05)
      }
    }
  },
)

test('a model that leaves photos as they are gets them as they are, unless they have too many pixels', async () => {
  const photo = await drawPhoto(places[0]!, [2048, 2048])
  const fit = async (model: string) =>
    (
      await fitPhotos(engine, limitsOf(openCatalogue().find('fal', model), undefined), {
        prompt: '',
        count: 1,
        userPhoto: photo,
        starPhotos: [photo],
        aspect: '4:5',
      })
    ).userPhoto
  expect(await fit('google/nano-banana-2.1/edit')).toBe(photo)
  const bounded = await fit('blackforestlabs/flux-3/edit-image')
  expect(bounded.widthPx * bounded.heightPx).toBeLessThanOrEqual(4_000_000)
})

/** A grey photo with a red rectangle where the face is. */
async function drawPhoto(face: (typeof places)[number], [widthPx, heightPx]: [number, number]) {
  const create = {
    width: Math.round(face.width * widthPx),
    height: Math.round(face.height * heightPx),
    channels: 3,
    background: '#f00',
  } as const
  const bytes = await sharp({
    create: { width: widthPx, height: heightPx, channels: 3, background: '#888' },
  })
    .composite([
      {
        input: { create },
        left: Math.round(face.x * widthPx),
        top: Math.round(face.y * heightPx),
      },
    ])
    .jpeg({ quality: 95 })
    .toBuffer()
  return { bytes, mediaType: 'image/jpeg', widthPx, heightPx, hasMatte: false } as const
}

async function boxOfRed(picture: Buffer) {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels
      if (data[at]! < 190 || data[at + 1]! > 80) continue
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y + 1)
    }
  }
  return { width: right - left, height: bottom - top }
}
