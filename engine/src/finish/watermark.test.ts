import { assert, integer, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RawPicture } from './raw-picture.ts'
import { frameInstant } from './instant-frame.ts'
import { shrinkToThumbnail } from './thumbnail.ts'
import { drawWatermark, layOutWatermark, overlayOf } from './watermark.ts'

function flat(widthPx: number, heightPx: number, value = 150): RawPicture {
  return { pixels: new Uint8Array(widthPx * heightPx * 3).fill(value), widthPx, heightPx }
}

function redAt({ pixels, widthPx }: RawPicture, x: number, y: number): number {
  return pixels[(y * widthPx + x) * 3]!
}

describe('the brand mark', () => {
  test('has the specified measures at 1024 pixels', () => {
    const layout = layOutWatermark(1024, 1280, 'starside.example')
    expect(layout.fontSizePx).toBe(28)
    expect(layout.left + layout.widthPx).toBe(1024 - 20)
    expect(layout.top + layout.heightPx).toBe(1280 - 20)
  })

  test('shows a text whole as long as it fits, and its end behind an ellipsis where not', () => {
    const shown = (length: number) => layOutWatermark(200, 200, 'a'.repeat(length)).text
    const longest = Array.from({ length: 200 }, (_, n) => n + 1).findLast(
      (length) => !shown(length).includes('…'),
    )!
    expect(longest).toBeGreaterThan(5)
    expect(shown(longest)).toHaveLength(longest)
    expect(shown(longest + 1)).toBe(`…${'a'.repeat(longest - 1)}`)
  })

  test('grows and shrinks with the picture', () => {
    expect(layOutWatermark(1536, 1920, 'a.example').fontSizePx).toBe(42)
    expect(layOutWatermark(512, 640, 'a.example').fontSizePx).toBe(14)
  })

  test('is a 30 % black box with nearly white text', async () => {
    const picture = await drawWatermark(flat(1024, 1280), 'HHHH')
    const layout = layOutWatermark(1024, 1280, 'HHHH')
    expect(redAt(picture, layout.left + 3, layout.top + 3)).toBeCloseTo(150 * 0.7, -0.5)
    const box: number[] = []
    for (let y = layout.top; y < layout.top + layout.heightPx; y++) {
      for (let x = layout.left; x < layout.left + layout.widthPx; x++)
        box.push(redAt(picture, x, y))
    }
    // White at opacity 0.9 over the darkened box.
    expect(Math.max(...box)).toBeGreaterThan(235)
    expect(Math.max(...box)).toBeLessThan(246)
    expect(box.filter((value) => value > 220).length / box.length).toBeGreaterThan(0.07)
  })

  test('has as much room above its capitals as beside its text', async () => {
    const picture = await drawWatermark(flat(1024, 1280), 'HHHH')
    const { left, top, widthPx, paddingPx } = layOutWatermark(1024, 1280, 'HHHH')
    const hasInk = (y: number) =>
      Array.from({ length: widthPx }, (_, x) => redAt(picture, left + x, y)).some(
        (red) => red > 200,
      )
    const room = Array.from({ length: 60 }, (_, n) => n).find((n) => hasInk(top + n))!
    expect(Math.abs(room - paddingPx)).toBeLessThanOrEqual(1)
  })

  test('changes nothing outside its box and nothing in the picture it was given', async () => {
    const before = flat(640, 800)
    const after = await drawWatermark(before, 'starside.example')
    const layout = layOutWatermark(640, 800, 'starside.example')
    expect(before.pixels.every((value) => value === 150)).toBe(true)
    for (let y = 0; y < 800; y++) {
      for (let x = 0; x < 640; x++) {
        const inside = x >= layout.left && y >= layout.top && x < 640 - 13 && y < 800 - 13
        if (!inside && redAt(after, x, y) !== 150) throw new Error(`changed at ${x}, ${y}`)
      }
    }
  })

  test('stands on the photo, not on the frame of an instant picture', async () => {
    const framed = await frameInstant(flat(400, 500), '')
    for (const picture of [framed, await shrinkToThumbnail(framed)]) {
      const after = await drawWatermark(picture, 'starside.example')
      const changed = after.pixels.findLastIndex((value, at) => value !== picture.pixels[at])
      const row = Math.floor(changed / (3 * picture.widthPx))
      expect(row / picture.heightPx).toBeLessThan(524 / 612)
      expect(row / picture.heightPx).toBeGreaterThan(0.8)
      const across = (at: number) => Math.floor(at / 3) % picture.widthPx
      const right = after.pixels.reduce(
        (most, value, at) => (value === picture.pixels[at] ? most : Math.max(most, across(at))),
        0,
      )
      expect(right).toBeLessThan(picture.widthPx - picture.frame!.right)
    }
  })

  test.each(['i', '日本', 'ü', ' x', 'localhost:3000', '…', '<&">'])(
    'is never blank: %s',
    async (text) => {
      const picture = await drawWatermark(flat(1024, 1024, 0), text)
      expect(picture.pixels.some((value) => value > 200)).toBe(true)
    },
  )

  test('is drawn once for a sheet’s sizes, and the sixteen that were used last are kept', async () => {
    const svg = (n: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${n}" height="1"/>`
    const drawn = Array.from({ length: 16 }, (_, n) => overlayOf(svg(n + 1)))
    expect(overlayOf(svg(1))).toBe(drawn[0])
    const next = overlayOf(svg(17))
    expect(overlayOf(svg(17))).toBe(next)
    expect(overlayOf(svg(1))).toBe(drawn[0])
    expect(overlayOf(svg(2)), 'the one of longest ago').not.toBe(drawn[1])
    await Promise.all(drawn)
  })

  test('that could not be drawn is drawn anew', async () => {
    const torn = '<svg'
    const failed = overlayOf(torn)
    await expect(failed).rejects.toThrow()
    const again = overlayOf(torn)
    expect(again).not.toBe(failed)
    await expect(again).rejects.toThrow()
  })

  test('refuses an empty text', async () => {
    await expect(drawWatermark(flat(300, 300), ' ')).rejects.toThrow(TypeError)
  })

  test('keeps the end of a host name that is far too long', () => {
    const layout = layOutWatermark(400, 400, `${'sub.'.repeat(40)}starside.example`)
    expect(layout.text).toMatch(/^….*starside\.example$/)
  })

  test('always lies within the picture', () => {
    assert(
      property(
        integer({ min: 64, max: 4000 }),
        integer({ min: 64, max: 4000 }),
        string({ minLength: 1, maxLength: 260, unit: 'grapheme' }),
        (widthPx, heightPx, text) => {
          const layout = layOutWatermark(widthPx, heightPx, text)
          expect(layout.left).toBeGreaterThanOrEqual(0)
          expect(layout.top).toBeGreaterThanOrEqual(0)
          expect(layout.left + layout.widthPx).toBeLessThanOrEqual(widthPx)
          expect(layout.top + layout.heightPx).toBeLessThanOrEqual(heightPx)
        },
      ),
    )
  })
})

test.each([
  [flat(1024, 1280), 320, 400],
  [flat(2048, 1152), 400, 225],
  [flat(300, 200), 300, 200],
])('a thumbnail is made smaller, never larger', async (picture, widthPx, heightPx) => {
  expect(await shrinkToThumbnail(picture)).toMatchObject({ widthPx, heightPx })
})
