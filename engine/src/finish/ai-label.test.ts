import { describe, expect, test } from 'vitest'
import { drawAiLabel } from './ai-label.ts'
import { finishSelfie, finishSmall } from './finish-selfie.ts'
import { frameInstant } from './instant-frame.ts'
import type { RawPicture } from './raw-picture.ts'
import { decodePicture } from '../photo/decode-picture.ts'

const flat = (widthPx: number, heightPx: number): RawPicture => ({
  pixels: new Uint8Array(widthPx * heightPx * 3).fill(120),
  widthPx,
  heightPx,
})

/** The smallest box that holds everything that differs clearly. */
function changed(before: RawPicture, after: RawPicture) {
  const box = { left: Infinity, top: Infinity, right: -1, bottom: -1 }
  for (let i = 0; i < before.pixels.length; i += 3) {
    if (Math.abs(before.pixels[i]! - after.pixels[i]!) < 40) continue
    const [x, y] = [(i / 3) % before.widthPx, Math.floor(i / 3 / before.widthPx)]
    box.left = Math.min(box.left, x)
    box.top = Math.min(box.top, y)
    box.right = Math.max(box.right, x)
    box.bottom = Math.max(box.bottom, y)
  }
  return box
}

describe('the AI label', () => {
  test('is not there by default, and leaves the picture as it is', async () => {
    const picture = flat(400, 500)
    expect(await drawAiLabel(picture, 'off')).toBe(picture)
    const labelled = await drawAiLabel(picture, 'icon')
    expect(labelled.pixels).not.toEqual(picture.pixels)
    expect(picture).toEqual(flat(400, 500))
  })

  test.each(['4:5', '1:1', '16:9', '9:16'])(
    'at %s is small and within the square in the middle',
    async (aspect) => {
      const [across = 1, down = 1] = aspect.split(':').map(Number)
      const unit = 1024 / Math.min(across, down)
      const picture = flat(Math.round(across * unit), Math.round(down * unit))
      const { widthPx, heightPx } = picture
      const side = Math.min(widthPx, heightPx)
      for (const label of ['icon', 'words'] as const) {
        const box = changed(picture, await drawAiLabel(picture, label))
        expect(box.left).toBeGreaterThanOrEqual((widthPx - side) / 2 + 15)
        expect(box.bottom).toBeLessThanOrEqual((heightPx + side) / 2 - 15)
        expect(box.right).toBeLessThan(widthPx / 2)
        expect(box.bottom - box.top).toBeGreaterThan(20)
        expect((box.right - box.left) * (box.bottom - box.top)).toBeLessThan(0.02 * side * side)
      }
    },
  )

  test.each([
    [800, 1000],
    [800, 800],
    [1280, 720],
  ])(
    'stands on the photo, not on the frame of an instant picture of %i × %i',
    async (widthPx, heightPx) => {
      const framed = await frameInstant(flat(widthPx, heightPx), '')
      const box = changed(framed, await drawAiLabel(framed, 'icon'))
      expect(box.left).toBeGreaterThan(framed.frame?.right ?? 0)
      expect(box.bottom).toBeLessThan(framed.heightPx - (framed.frame?.bottom ?? 0))
    },
  )

  test('is in all files of a selfie, the one without the brand mark too', async () => {
    const options = {
      watermarkText: 'selfie.example',
      systemVersion: '1',
      aiLabel: 'words',
    } as const
    const picture = flat(1024, 1280)
    const files = [
      ...Object.values((await finishSelfie(picture, options)).files),
      ...Object.values(await finishSmall(flat(410, 512), options)),
    ]
    for (const file of files) {
      const read = await decodePicture(file, { sidePxMin: 1 })
      const box = changed(flat(read.widthPx, read.heightPx), read)
      expect(box.left).toBeLessThan(read.widthPx * 0.1)
    }
    expect(files).toHaveLength(6)
  })
})
