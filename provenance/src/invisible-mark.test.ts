import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { detectMark, embedMark } from './invisible-mark.ts'
import type { RawPicture } from '@starside/engine/finish/raw-picture.ts'
import { drawWatermark } from '@starside/engine/finish/watermark.ts'

const key = Buffer.from('0f1e2d3c4b5a69788796a5b4c3d2e1f0', 'hex')
const id = 'c0ffee0123456789'

/** What was written, mostly once, and what the last of it was made of. */
async function markAll(picture: RawPicture): Promise<RawPicture[]> {
  const written: RawPicture[] = []
  const last = await embedMark(picture, { id, key }, async (one) => written[written.push(one) - 1])
  expect(last).toBe(written.at(-1))
  return written
}

async function mark(picture: RawPicture): Promise<RawPicture> {
  const [last] = (await markAll(picture)).toReversed()
  return last!
}

async function read(source: string | Uint8Array | Sharp): Promise<RawPicture> {
  const picture = typeof source === 'object' && 'clone' in source ? source : sharp(source)
  const { data, info } = await picture
    .autoOrient()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { pixels: data, widthPx: info.width, heightPx: info.height }
}

async function readFixture(name: string): Promise<RawPicture> {
  return await read(fileURLToPath(new URL(`../../engine/fixtures/${name}`, import.meta.url)))
}

function draw({ pixels, widthPx, heightPx }: RawPicture): Sharp {
  return sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })
}

/** Peak signal-to-noise ratio over all channels, in decibels. */
function psnr(a: RawPicture, b: RawPicture): number {
  let sum = 0
  for (let i = 0; i < a.pixels.length; i++) sum += (a.pixels[i]! - b.pixels[i]!) ** 2
  return 10 * Math.log10((255 * 255 * a.pixels.length) / sum)
}

/** What people and platforms do to a picture. */
const degrade: Record<string, (picture: RawPicture) => Sharp> = {
  'JPEG at quality 90': (picture) => draw(picture).jpeg({ quality: 90 }),
  'JPEG at quality 60': (picture) => draw(picture).jpeg({ quality: 60 }),
  'half the size': (picture) =>
    draw(picture)
      .resize(Math.round(picture.widthPx / 2))
      .png(),
  'half the size and JPEG at quality 60': (picture) =>
    draw(picture)
      .resize(Math.round(picture.widthPx / 2))
      .jpeg({ quality: 60 }),
  'WebP at quality 60': (picture) => draw(picture).webp({ quality: 60 }),
  'an odd smaller size': (picture) => draw(picture).resize(711).jpeg({ quality: 80 }),
  'being mirrored, half the size and JPEG at quality 60': (picture) =>
    draw(picture)
      .resize(Math.round(picture.widthPx / 2))
      .flop()
      .jpeg({ quality: 60 }),
  'twice the size': (picture) =>
    draw(picture)
      .resize(2 * picture.widthPx)
      .jpeg({ quality: 70 }),
}

const originals: Record<string, RawPicture> = {}
const written: Record<string, RawPicture[]> = {}
const marked: Record<string, RawPicture> = {}
beforeAll(async () => {
  for (const name of ['pair-1.jpg', 'star-zuvia.jpg', 'star-olmira.jpg', 'user-2.jpg']) {
    originals[name] = await readFixture(name)
    written[name] = await markAll(originals[name])
    marked[name] = written[name].at(-1)!
  }
})

/** Repeatable numbers from 0 to below 1. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
}

describe('the invisible mark', () => {
  test('can’t be seen: 42 dB and more, and smooth places hardly touched', () => {
    for (const [name, picture] of Object.entries(marked)) {
      expect(psnr(picture, originals[name]!), name).toBeGreaterThan(42)
    }
  })

  test.each(Object.entries(degrade))('survives %s', async (_name, worn) => {
    for (const [name, picture] of Object.entries(marked)) {
      expect(await detectMark(await read(await worn(picture).toBuffer()), key), name).toBe(id)
    }
  })

  test('survives the brand mark on top of it, then half the size and quality 60', async () => {
    for (const [name, picture] of Object.entries(marked)) {
      const branded = await drawWatermark(picture, 'starside.example.com')
      const worn = await degrade['half the size and JPEG at quality 60']!(branded).toBuffer()
      expect(await detectMark(await read(worn), key), name).toBe(id)
    }
  })

  test('survives two kinds of degrade after each other', async () => {
    const first = await read(await degrade['JPEG at quality 90']!(marked['pair-1.jpg']!).toBuffer())
    const second = await read(await degrade['an odd smaller size']!(first).toBuffer())
    const third = await degrade['JPEG at quality 60']!(second).toBuffer()
    expect(await detectMark(await read(third), key)).toBe(id)
  })

  test.each([
    ['four fifths', 0.8, 1],
    ['half its area', 0.7, 1],
    ['four fifths, at half the size', 0.8, 0.5],
  ])('is found in a crop: %s', async (_name, share, scale) => {
    const picture = marked['pair-1.jpg']!
    const whole = await draw(picture)
      .resize(Math.round(picture.widthPx * scale))
      .png()
      .toBuffer()
    const size = { width: picture.widthPx * scale, height: picture.heightPx * scale }
    const crop = await sharp(whole)
      .extract({
        left: 37,
        top: 51,
        width: Math.floor(size.width * share),
        height: Math.floor(size.height * share),
      })
      .jpeg({ quality: 80 })
      .toBuffer()
    expect(await detectMark(await read(crop), key)).toBe(id)
  })

  test('is not found in unmarked pictures, nor with another key', async () => {
    for (const [name, picture] of Object.entries(originals)) {
      expect(await detectMark(picture, key), name).toBeUndefined()
      expect(await detectMark(marked[name]!, Buffer.from('another')), name).toBeUndefined()
    }
    const tiny = await read(draw(originals['pair-1.jpg']!).resize(64).png())
    expect(await detectMark(tiny, key)).toBeUndefined()
  })

  test('is written again, stronger, until it would survive', () => {
    // Not the fourth, which is so near to the limit that another encoder may decide otherwise.
    const names = ['pair-1.jpg', 'star-zuvia.jpg', 'star-olmira.jpg']
    expect(names.map((name) => written[name]!.length)).toEqual([1, 2, 3])
    const [first = 0, second = 0, third = 0] = written['star-olmira.jpg']!.map((picture) =>
      psnr(picture, originals['star-olmira.jpg']!),
    )
    expect([first - second, second - third].map(Math.round)).toEqual([2, 3])
  })

  test('is as faint in grain and beside an edge as in a smooth place, and bounded in noise', async () => {
    const side = 320
    const random = randomFrom(7)
    const drawLevels = (level: (x: number, y: number) => number): RawPicture => {
      const pixels = new Uint8Array(side * side * 3)
      for (let at = 0; at < pixels.length; at += 3) {
        const place = at / 3
        pixels.fill(level(place % side, Math.floor(place / side)), at, at + 3)
      }
      return { pixels, widthPx: side, heightPx: side }
    }
    const pictures: [string, number, (x: number, y: number) => number][] = [
      ['smooth', 53, () => 128],
      ['grain', 53, () => 126 + 5 * random()],
      ['an edge', 52.5, (x) => (x < side / 2 ? 90 : 160)],
      ['noise in a corner', 46, (x, y) => (x < 64 && y < 64 ? 40 + 170 * random() : 128)],
      ['noise', 42, () => 255 * random()],
    ]
    for (const [what, decibels, level] of pictures) {
      const picture = drawLevels(level)
      const [first] = await markAll(picture)
      expect(psnr(first!, picture), what).toBeGreaterThan(decibels)
    }
  })

  test('has room even in a picture without any detail', async () => {
    const flat = {
      pixels: new Uint8Array(1024 * 1024 * 3).fill(128),
      widthPx: 1024,
      heightPx: 1024,
    }
    const picture = await mark(flat)
    expect(psnr(picture, flat)).toBeGreaterThan(42)
    expect(await detectMark(picture, key)).toBe(id)
  })

  test('the same picture, id and key give the same pixels', async () => {
    const again = await mark(originals['star-zuvia.jpg']!)
    expect(Buffer.from(again.pixels).equals(marked['star-zuvia.jpg']!.pixels)).toBe(true)
  })
})
