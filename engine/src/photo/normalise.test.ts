import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { normalisePhoto, photoSidePxMax } from './normalise.ts'
import { PhotoError } from './photo-error.ts'
import type { PhotoRefusal } from './photo-error.ts'
import { pngClaiming } from '../testing/png-claiming.ts'

const fixtures = new URL('../../fixtures/', import.meta.url)
const fixture = (name: string): Buffer => readFileSync(new URL(name, fixtures))

/** A smooth picture with a red left upper corner, so that orientation can be told. */
function scene(widthPx: number, heightPx: number, channels: 3 | 4 = 3): Sharp {
  const pixels = Buffer.alloc(widthPx * heightPx * channels, 255)
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const corner = x < widthPx / 4 && y < heightPx / 4
      const at = (y * widthPx + x) * channels
      pixels[at] = corner ? 250 : (x * 200) / widthPx
      pixels[at + 1] = corner ? 10 : (y * 200) / heightPx
      pixels[at + 2] = corner ? 10 : 128 + ((x * 7 + y * 13) % 23)
    }
  }
  return sharp(pixels, { raw: { width: widthPx, height: heightPx, channels } })
}

async function colourAt(bytes: Uint8Array, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  return [...data.subarray(at, at + info.channels)]
}

/** The code that an upload is refused with, or what came instead of a refusal. */
async function refusal(upload: Uint8Array): Promise<PhotoRefusal | 'accepted' | 'other error'> {
  try {
    await normalisePhoto(upload)
    return 'accepted'
  } catch (error) {
    return error instanceof PhotoError ? error.code : 'other error'
  }
}

/** A photo whose alpha is what the SVG `shape` draws. */
async function withAlpha(shape: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="700">${shape}</svg>`
  return await scene(600, 700, 4)
    .composite([{ input: Buffer.from(svg), blend: 'dest-in' }])
    .png()
    .toBuffer()
}

/** A GIF of one frame whose screen and frame claim a size, with one byte of picture data. */
function gifClaiming(widthPx: number, heightPx: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(widthPx, 0)
  size.writeUInt16LE(heightPx, 2)
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    size,
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2c, 0, 0, 0, 0]),
    size,
    Buffer.from([0, 2, 2, 0x4c, 1, 0, 0x3b]),
  ])
}

describe('formats', () => {
  test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('%s is read', async (format) => {
    const photo = await normalisePhoto(await scene(640, 480).toFormat(format).toBuffer())
    expect(photo).toMatchObject({
      mediaType: 'image/jpeg',
      widthPx: 640,
      heightPx: 480,
      hasMatte: false,
    })
    const [red, green] = await colourAt(photo.bytes, 0.1, 0.1)
    expect(red).toBeGreaterThan(200)
    expect(green).toBeLessThan(80)
  })

  test('the name and type do not count, the content does', async () => {
    expect(await refusal(Buffer.from('This is a letter, not a photo.jpg'))).toBe('photo_format')
  })

  test('SVG, TIFF, PDF, HEIC, BMP and HTML are no accepted photos', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><rect width="600" height="600"/></svg>',
    )
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
    const uploads = [
      svg,
      await scene(400, 400).tiff().toBuffer(),
      Buffer.from('%PDF-1.7\n'),
      heic,
      Buffer.from('BM\x36\0\0\0'),
      Buffer.from('<!doctype html><script>alert(1)</script>'),
      Buffer.from([0xff]),
    ]
    for (const upload of uploads) expect(await refusal(upload)).toBe('photo_format')
  })

  test('only the first frame of an animation is taken', async () => {
    const red = { create: { width: 300, height: 300, channels: 3, background: '#e01010' } } as const
    const blue = { ...red, create: { ...red.create, background: '#1010e0' } } as const
    const frames = await Promise.all([red, blue].map((frame) => sharp(frame).png().toBuffer()))
    for (const format of ['webp', 'gif'] as const) {
      const animated = await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer()
      expect((await sharp(animated).metadata()).pages).toBe(2)
      const photo = await normalisePhoto(animated)
      expect([photo.widthPx, photo.heightPx]).toEqual([300, 300])
      const [first, , last] = await colourAt(photo.bytes, 0.5, 0.5)
      expect(first).toBeGreaterThan(180)
      expect(last).toBeLessThan(60)
    }
  })

  test('what hides in a valid picture does not get on', async () => {
    const gif = await scene(300, 300).gif().toBuffer()
    const polyglot = Buffer.concat([gif, Buffer.from('<script>alert("polyglot")</script>')])
    const jpeg = await scene(300, 300).jpeg().toBuffer()
    const comment = Buffer.from('\xff\xfe\0\x1a<?php polyglot(); ?>....', 'latin1')
    const commented = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)])
    for (const upload of [polyglot, commented]) {
      expect(upload.includes('polyglot')).toBe(true)
      const photo = await normalisePhoto(upload)
      expect(Buffer.from(photo.bytes).includes('polyglot')).toBe(false)
    }
  })
})

describe('refusals', () => {
  test('an empty file', async () => {
    expect(await refusal(new Uint8Array())).toBe('photo_empty')
  })

  test('a file of more than 15 MB, however valid', async () => {
    const jpeg = await scene(300, 300).jpeg().toBuffer()
    const bytesMax = 15 * 1024 * 1024
    const padded = Buffer.concat([jpeg, Buffer.alloc(bytesMax)])
    expect(await refusal(padded.subarray(0, bytesMax + 1))).toBe('photo_too_large')
    expect(await refusal(padded.subarray(0, bytesMax))).toBe('accepted')
  })

  test('pixel bombs, before anything is decoded', async () => {
    const jpeg = await scene(300, 300).jpeg().toBuffer()
    // SOF0: marker, length and precision, then height and width.
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    jpeg.writeUInt16BE(10_000, frame + 5)
    jpeg.writeUInt16BE(10_000, frame + 7)
    const webp = await scene(300, 300).webp({ lossless: true }).toBuffer()
    // VP8L: 14 bits of width and 14 of height, each less one, after the signature byte 0x2f.
    webp.writeUInt32LE((16_382 | (16_382 << 14)) >>> 0, webp.indexOf('VP8L') + 9)
    const avif = await scene(300, 300).avif().toBuffer()
    const extents = avif.indexOf('ispe')
    // As much as a JPEG may have is too much for the decoder of an AVIF.
    avif.writeUInt32BE(5_000, extents + 8)
    avif.writeUInt32BE(5_000, extents + 12)
    const bombs = [
      jpeg,
      pngClaiming(20_000, 20_000, 1 << 20),
      gifClaiming(60_000, 60_000),
      webp,
      avif,
    ]
    for (const bomb of bombs) expect(await refusal(bomb)).toBe('photo_too_many_pixels')
  })

  test('a side under 256 pixels, before or after the long side is bounded', async () => {
    expect(await refusal(await scene(255, 800).jpeg().toBuffer())).toBe('photo_too_small')
    expect(await refusal(await scene(256, 256).jpeg().toBuffer())).toBe('accepted')
    expect(await refusal(await scene(4096, 400).jpeg().toBuffer())).toBe('photo_too_small')
  })

  test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)(
    'a %s that was cut off anywhere',
    async (format) => {
      const whole = await sharp(fixture('user-1.jpg')).resize(500).toFormat(format).toBuffer()
      for (const share of [0.02, 0.3, 0.6, 0.9]) {
        const cut = whole.subarray(0, Math.floor(whole.length * share))
        expect(await refusal(cut), `${format} cut at ${share}`).toBe('photo_damaged')
      }
    },
  )

  test('a signature with rubbish behind it', async () => {
    const rubbish = Buffer.alloc(5000, 0x5a)
    for (const signature of ['\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n', 'GIF89a', 'RIFF....WEBP']) {
      const upload = Buffer.concat([Buffer.from(signature, 'latin1'), rubbish])
      expect(await refusal(upload)).toMatch(/^photo_(damaged|too_many_pixels)$/)
    }
  })

  test('a PNG whose picture data ends early', async () => {
    expect(await refusal(pngClaiming(4000, 4000, 1 << 20))).toBe('photo_damaged')
  })

  test('an aborted signal rejects with its reason', async () => {
    const reason = new Error('gone')
    const upload = await scene(300, 300).jpeg().toBuffer()
    const signal = AbortSignal.abort(reason)
    await expect(normalisePhoto(upload, { signal })).rejects.toBe(reason)
  })

  test('a signal that is aborted while the photo is decoded rejects with its reason, damaged or not', async () => {
    const reason = new Error('gone')
    const whole = await scene(300, 300).jpeg().toBuffer()
    for (const upload of [whole, pngClaiming(4000, 4000, 1 << 20)]) {
      const abort = new AbortController()
      // It is asked twice before the photo is decoded.
      const throwIfAborted = vi.spyOn(abort.signal, 'throwIfAborted')
      throwIfAborted.mockImplementation(() => {
        if (abort.signal.aborted) throw abort.signal.reason
        if (throwIfAborted.mock.calls.length === 2) abort.abort(reason)
      })
      await expect(normalisePhoto(upload, { signal: abort.signal })).rejects.toBe(reason)
    }
  })
})

describe('what comes out', () => {
  test('is upright, whatever the EXIF orientation says', async () => {
    const photo = await normalisePhoto(
      await scene(600, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    )
    expect([photo.widthPx, photo.heightPx]).toEqual([400, 600])
    // Orientation 6 turns clockwise: the left upper corner becomes the right upper one.
    const [red, green] = await colourAt(photo.bytes, 0.9, 0.1)
    expect(red).toBeGreaterThan(200)
    expect(green).toBeLessThan(80)
    const side = await normalisePhoto(fixture('user-4.jpg'))
    expect(side.heightPx).toBeGreaterThan(side.widthPx)
  })

  test('has at most 2048 pixels on its long side and is never scaled up', async () => {
    const large = await normalisePhoto(await scene(3000, 1500).jpeg().toBuffer())
    expect([large.widthPx, large.heightPx]).toEqual([2048, 1024])
    const small = await normalisePhoto(await scene(301, 399).png().toBuffer())
    expect([small.widthPx, small.heightPx]).toEqual([301, 399])
  })

  test('a part is that of the upright photo, in its own resolution, however the file holds it', async () => {
    const stored = await scene(2100, 600).jpeg().toBuffer()
    const part = { left: 0.1, top: 0.2, width: 0.3, height: 0.25 }
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const upload = await sharp(stored).withMetadata({ orientation }).jpeg().toBuffer()
      const whole = await normalisePhoto(upload)
      const cut = await normalisePhoto(upload, { part })
      const [width, height] = orientation >= 5 ? [600, 2100] : [2100, 600]
      expect([cut.widthPx, cut.heightPx]).toEqual([width * part.width, height * part.height])
      expect([whole.shrunkBy, cut.shrunkBy]).toEqual([2100 / photoSidePxMax, undefined])
      for (const [x, y] of [
        [0.05, 0.05],
        [0.95, 0.9],
        [0.4, 0.1],
      ] as const) {
        const [inX, inY] = [part.left + x * part.width, part.top + y * part.height]
        const wanted = await colourAt(whole.bytes, inX, inY)
        const seen = await colourAt(cut.bytes, x, y)
        wanted.forEach((value, i) => expect(Math.abs(seen[i]! - value)).toBeLessThan(24))
      }
      expect((await sharp(cut.bytes).metadata()).exif).toBeUndefined()
    }
  })

  test('carries no EXIF, GPS, XMP, IPTC, comment or colour profile', async () => {
    const upload = await scene(400, 400)
      .withExif({ IFD0: { Make: 'Secretcam' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">secret place</x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    const before = await sharp(upload).metadata()
    expect(before.exif && before.xmp && before.icc).toBeTruthy()
    const after = await sharp((await normalisePhoto(upload)).bytes).metadata()
    expect([after.exif, after.xmp, after.iptc, after.icc, after.comments]).toEqual(
      Array.from({ length: 5 }),
    )
  })

  test('is sRGB: a wide-gamut profile is converted, not dropped', async () => {
    const create = { width: 300, height: 300, channels: 3, background: '#30a040' } as const
    const wide = await sharp({ create }).withIccProfile('p3').png().toBuffer()
    const photo = await normalisePhoto(wide)
    const colour = await colourAt(photo.bytes, 0.5, 0.5)
    // sRGB values were converted to the profile's when it was written, and must come back.
    const wanted = [0x30, 0xa0, 0x40]
    colour.forEach((value, i) => expect(Math.abs(value - wanted[i]!)).toBeLessThan(4))
    const dropped = await sharp(wide, { ignoreIcc: true }).raw().toBuffer()
    expect(dropped[0]! - 0x30).toBeGreaterThan(20)
  })

  test('has three 8-bit channels also from grey, 16-bit, CMYK and palette pictures', async () => {
    const uploads = [
      await scene(300, 300).greyscale().toColourspace('b-w').jpeg().toBuffer(),
      await scene(300, 300).toColourspace('rgb16').png().toBuffer(),
      await scene(300, 300).greyscale().toColourspace('grey16').png().toBuffer(),
      await scene(300, 300).toColourspace('cmyk').jpeg().toBuffer(),
      await scene(300, 300).png({ palette: true }).toBuffer(),
    ]
    for (const upload of uploads) {
      const { bytes } = await normalisePhoto(upload)
      expect(await sharp(bytes).metadata()).toMatchObject({
        format: 'jpeg',
        channels: 3,
        depth: 'uchar',
        space: 'srgb',
        chromaSubsampling: '4:4:4',
      })
      const [red, green] = await colourAt(bytes, 0.6, 0.6)
      expect(Math.abs(red! - 120)).toBeLessThan(40)
      expect(Math.abs(green! - 120)).toBeLessThan(40)
    }
  })
})

describe('transparency', () => {
  let cutout: Buffer
  beforeAll(() => {
    cutout = fixture('star-zuvia-cutout.webp')
  })

  test('a cut-out person becomes a PNG with its matte', async () => {
    const photo = await normalisePhoto(cutout)
    expect(photo).toMatchObject({ mediaType: 'image/png', hasMatte: true })
    const before = await sharp(cutout).extractChannel(3).raw().toBuffer()
    const after = await sharp(photo.bytes).extractChannel(3).raw().toBuffer()
    expect(after.equals(before)).toBe(true)
  })

  test('a drawn head with shoulders is a matte', async () => {
    const bust = '<circle cx="300" cy="260" r="120"/><path d="M60 700 Q300 280 540 700Z"/>'
    expect((await normalisePhoto(await withAlpha(bust))).hasMatte).toBe(true)
  })

  test.each([
    ['a round avatar', '<circle cx="300" cy="350" r="300"/>'],
    ['rounded corners', '<rect width="600" height="700" rx="120"/>'],
    ['a photo within a clear frame', '<rect x="80" y="80" width="440" height="500"/>'],
    ['a small logo', '<rect x="280" y="300" width="60" height="30"/>'],
    ['nothing at all', ''],
  ])('%s is flattened on light grey', async (_name, shape) => {
    const photo = await normalisePhoto(await withAlpha(shape))
    expect(photo).toMatchObject({ mediaType: 'image/jpeg', hasMatte: false })
    const corner = await colourAt(photo.bytes, 0.005, 0.005)
    expect(corner.length).toBe(3)
    for (const value of corner) expect(value).toBeGreaterThan(225)
  })

  test.each([
    ['an opaque photo with an alpha channel', '<rect width="600" height="700"/>'],
    ['a translucent picture', '<rect width="600" height="700" opacity="0.4"/>'],
  ])('%s becomes a plain JPEG', async (_name, shape) => {
    const photo = await normalisePhoto(await withAlpha(shape))
    expect(photo).toMatchObject({ mediaType: 'image/jpeg', hasMatte: false })
    expect((await sharp(photo.bytes).metadata()).hasAlpha).toBe(false)
  })
})

test('room is made before a large progressive photo is decoded, and before no other', async () => {
  const made: string[] = []
  const normaliseOf = async (name: string, width: number, progressive: boolean): Promise<void> => {
    const background = { r: 90, g: 120, b: 150 }
    const upload = await sharp({ create: { width, height: 3_000, channels: 3, background } })
      .jpeg({ progressive })
      .toBuffer()
    await normalisePhoto(upload, { beforeMuchMemory: () => made.push(name) })
  }
  await normaliseOf('large', 2_400, true)
  await normaliseOf('baseline', 2_400, false)
  await normaliseOf('small', 1_500, true)
  expect(made).toEqual(['large'])
})

test('progressive photos are decoded one by one', async () => {
  const background = { r: 90, g: 120, b: 150 }
  const upload = await sharp({ create: { width: 2_400, height: 3_000, channels: 3, background } })
    .jpeg({ progressive: true })
    .toBuffer()
  const steps: string[] = []
  const normalise = async (): Promise<void> => {
    const { signal } = new AbortController()
    const beforeMuchMemory = () => {
      steps.push('begun')
      // It is asked once more when the photo is decoded.
      vi.spyOn(signal, 'throwIfAborted').mockImplementation(() => void steps.push('decoded'))
    }
    await normalisePhoto(upload, { signal, beforeMuchMemory })
  }
  await Promise.all([normalise(), normalise()])
  expect(steps).toEqual(['begun', 'decoded', 'begun', 'decoded'])
})
