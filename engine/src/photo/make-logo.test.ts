import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeLogo } from './make-logo.ts'

const red = { r: 200, g: 20, b: 20, alpha: 1 }
const clear = { ...red, alpha: 0 }
const upload = async (width: number, height: number, background = red): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer()

/** The four channels of the pixel in the corner, and of the one in the middle. */
async function pixelsOf(png: Uint8Array) {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4).subarray(0, 4)]
  return { corner: at(0, 0), middle: at(info.width / 2, info.height / 2) }
}

test.each([
  [
    [400, 200],
    [100, 50],
  ],
  [
    [60, 200],
    [24, 80],
  ],
  [
    [40, 20],
    [40, 20],
  ],
])('a logo of %j pixels is one of %j, never enlarged', async ([width, height], [across, down]) => {
  const bytes = await upload(width!, height!)
  const logo = await makeLogo({ bytes, widthPxMax: 100, heightPxMax: 80 })
  expect([logo.widthPx, logo.heightPx]).toEqual([across, down])
  expect(await sharp(logo.png).metadata()).toMatchObject({
    format: 'png',
    width: across,
    height: down,
  })
})

const asIcon = async (bytes: Buffer, isOpaque: boolean) => {
  const square = { sidePx: 100, isOpaque }
  const { png, ...size } = await makeLogo({ bytes, widthPxMax: 80, heightPxMax: 80, square })
  expect(size).toEqual({ widthPx: 100, heightPx: 100 })
  return { png, ...(await pixelsOf(png)) }
}

test('in a square a small picture is enlarged to what it may cover', async () => {
  const { png, corner, middle } = await asIcon(await upload(20, 20), false)
  expect([corner[3], middle]).toEqual([0, [200, 20, 20, 255]])
  expect((await sharp(png).trim().toBuffer({ resolveWithObject: true })).info.width).toBe(80)
})

test.each([
  ['its own colour, where it covers its corner', red, [200, 20, 20, 255]],
  ['paper, where it is see-through there', clear, [244, 239, 228, 255]],
])('the ground of an icon without transparency is %s', async (_what, colour, ground) => {
  expect((await asIcon(await upload(20, 20, colour), true)).corner).toEqual(ground)
})

test('what is lower than sixteen pixels is refused', async () => {
  const make = async (height: number) =>
    makeLogo({ bytes: await upload(200, height), widthPxMax: 100, heightPxMax: 80 })
  await expect(make(15)).rejects.toMatchObject({ code: 'photo_too_small' })
  await expect(make(16)).resolves.toMatchObject({ widthPx: 100, heightPx: 8 })
})
