import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { NormalisedPhoto } from '../image-provider.ts'
import type { PhotoRefusal } from '../photo/photo-error.ts'
import { makePersonFiles, makePresetFiles } from './make-preset-files.ts'

const [widthPx, heightPx] = [1_000, 1_200]
const red = { r: 200, g: 20, b: 20 }
const blue = { r: 20, g: 20, b: 200 }

/** A red photo whose right and lower quarter is blue. */
async function openPhoto(): Promise<NormalisedPhoto> {
  const corner = {
    width: widthPx / 2,
    height: heightPx / 2,
    channels: 3,
    background: blue,
  } as const
  const bytes = await sharp({
    create: { width: widthPx, height: heightPx, channels: 3, background: red },
  })
    .composite([{ input: await sharp({ create: corner }).png().toBuffer(), gravity: 'southeast' }])
    .jpeg({ quality: 95 })
    .toBuffer()
  return { bytes, mediaType: 'image/jpeg', widthPx, heightPx, hasMatte: false }
}

/** A compositor that finds one face about that place, and may refuse it. */
function findFace(x: number, y: number, size: number, refusals: PhotoRefusal[] = []) {
  const box = { x: x - size / 2, y: y - size / 2, width: size, height: size }
  const face = { ...box, isMain: true, refusals, hints: [] }
  return {
    inspect: async () => ({ widthPx, heightPx, faces: [face], refusals, hints: [] }),
    cutOut: async () => ({
      image: { width: 40, height: 40, data: new Uint8Array(4_800).fill(90) },
      alpha: { width: 40, height: 40, data: new Uint8Array(1_600).fill(255) },
    }),
  } as never
}

async function meanOf(picture: Uint8Array) {
  const { channels } = await sharp(picture).stats()
  return channels.slice(0, 3).map(({ mean }) => Math.round(mean / 20) * 20)
}

describe('the pictures of somebody who is offered to everybody', () => {
  test('are the whole photo, and head and shoulders in two sizes', async () => {
    const files = await makePersonFiles(findFace(0.75, 0.75, 0.1), await openPhoto())
    const told = await Promise.all(
      [files.picture, files.thumbnailAvif, files.thumbnailJpeg].map(async (file) => {
        const { format, width, height } = await sharp(file).metadata()
        return [format, width, height]
      }),
    )
    expect(told).toEqual([
      ['jpeg', widthPx, heightPx],
      ['heif', 320, 400],
      ['jpeg', 200, 250],
    ])
    // Two and a half faces high, so that all of it lies in the blue corner.
    expect(await meanOf(files.thumbnailJpeg)).toEqual([20, 20, 200])
  })

  test('show what is about the face as far as the photo reaches', async () => {
    const near = await makePersonFiles(findFace(0.5, 0.5, 0.1), await openPhoto())
    const { data, info } = await sharp(near.thumbnailJpeg)
      .raw()
      .toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) => data[(y * info.width + x) * 3]!
    // The face stands a little above the middle: what is below it is blue on the right alone.
    expect([at(190, 90), at(190, 120), at(10, 240)].map((value) => value > 100)).toEqual([
      true,
      false,
      true,
    ])
    const edge = await makePersonFiles(findFace(0.98, 0.98, 0.2), await openPhoto())
    expect(await meanOf(edge.thumbnailJpeg)).toEqual([20, 20, 200])
    const whole = await makePersonFiles(findFace(0.5, 0.5, 0.9), await openPhoto())
    const [r, , b] = await meanOf(whole.thumbnailJpeg)
    expect([r, b]).toEqual([160, 60])
  })

  test('are not made of a photo of which no selfie can be made', async () => {
    const photo = await openPhoto()
    const refused = makePersonFiles(findFace(0.5, 0.5, 0.1, ['photo_blurred', 'face_cut']), photo)
    await expect(refused).rejects.toMatchObject({ name: 'PhotoError', code: 'photo_blurred' })
    const nobody = {
      inspect: async () => ({ widthPx, heightPx, faces: [], refusals: [], hints: [] }),
    }
    await expect(makePersonFiles(nobody, photo)).rejects.toMatchObject({ code: 'face_missing' })
  })
})

test('a star has a cut-out too, its own or the one that is given, shown on squares', async () => {
  const photo = await openPhoto()
  const found = findFace(0.75, 0.75, 0.1)
  const background = { r: 0, g: 200, b: 0, alpha: 0.5 }
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 4, background } })
    .png()
    .toBuffer()
  const given = { ...photo, bytes, hasMatte: true }
  const sizes = []
  for (const files of [
    await makePresetFiles(found, photo),
    await makePresetFiles(found, photo, given),
  ]) {
    const [cutout, preview] = await Promise.all(
      [files.cutout, files.preview].map((file) => sharp(file).metadata()),
    )
    sizes.push([cutout?.width, cutout?.height, cutout?.hasAlpha, preview?.format, preview?.width])
  }
  expect(sizes).toEqual([
    [40, 40, true, 'png', 40],
    [64, 48, true, 'png', 64],
  ])
})
