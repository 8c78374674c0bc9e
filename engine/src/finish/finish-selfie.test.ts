import { fileURLToPath } from 'node:url'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { encodePicture } from './encode.ts'
import type { PictureFormat } from './encode.ts'
import { finishSelfie, finishSmall } from './finish-selfie.ts'
import type { FinishedPictures } from './finish-selfie.ts'
import { createC2paSigner } from '@starside/provenance/c2pa.ts'
import { makeC2paCredentials } from '@starside/provenance/testing/make-c2pa-credentials.ts'
import { digitalSourceType, provenanceXmp } from '@starside/provenance/provenance.ts'
import type { RawPicture } from './raw-picture.ts'
import { jpegToPng } from './to-png.ts'

const options = { watermarkText: 'starside.example', systemVersion: '1.2.3' }

let picture: RawPicture
let finished: FinishedPictures
beforeAll(async () => {
  const { data, info } = await sharp(
    fileURLToPath(new URL('../../fixtures/pair-1.jpg', import.meta.url)),
  )
    .raw()
    .toBuffer({ resolveWithObject: true })
  picture = { pixels: data, widthPx: info.width, heightPx: info.height }
  finished = (await finishSelfie(picture, options)).files
})

async function difference(left: Uint8Array, right: Uint8Array | RawPicture): Promise<number> {
  const a = await sharp(left).raw().toBuffer()
  const b = 'pixels' in right ? right.pixels : await sharp(right).raw().toBuffer()
  expect(a.length).toBe(b.length)
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!)
  return sum / a.length
}

async function xmpOf(bytes: Uint8Array): Promise<string> {
  return (await sharp(bytes).metadata()).xmp?.toString('utf8') ?? ''
}

describe('finishing', () => {
  test('gives JPEGs of the picture’s size and thumbnails of 400 pixels', async () => {
    const sizes = await Promise.all(
      [finished.clean, finished.watermarked, finished.cleanThumbnail].map(async (bytes) => {
        const { format, width, height, chromaSubsampling } = await sharp(bytes).metadata()
        return [format, width, height, chromaSubsampling]
      }),
    )
    expect(sizes).toEqual([
      ['jpeg', 1024, 1280, '4:4:4'],
      ['jpeg', 1024, 1280, '4:4:4'],
      ['jpeg', 320, 400, '4:4:4'],
    ])
  })

  const topmost = { left: 0, top: 0, width: 300, height: 60 }

  test('keeps the clean picture clean and marks the others', async () => {
    expect(await difference(finished.clean, picture)).toBeLessThan(2)
    const corner = { left: 600, top: 1180, width: 400, height: 80 }
    const cut = (bytes: Uint8Array) => sharp(bytes).extract(corner).png().toBuffer()
    expect(
      await difference(await cut(finished.watermarked), await cut(finished.clean)),
    ).toBeGreaterThan(15)
    expect(
      await difference(finished.watermarkedThumbnail, finished.cleanThumbnail),
    ).toBeGreaterThan(0.5)
  })

  test('lays a PNG over the whole of every picture, where it is not see-through', async () => {
    const box = { width: 200, height: 250, channels: 4, background: '#0000' } as const
    const bar = { width: 200, height: 50, channels: 4, background: '#f00' } as const
    const input = await sharp({ create: bar }).png().toBuffer()
    const overlay = await sharp({ create: box })
      .composite([{ input, gravity: 'north' }])
      .png()
      .toBuffer()
    const { files: framed } = await finishSelfie(picture, { ...options, overlay })
    for (const bytes of [framed.clean, framed.watermarked, framed.cleanThumbnail]) {
      const [top] = (await sharp(await sharp(bytes).extract(topmost).toBuffer()).stats()).channels
      expect(top?.mean).toBeGreaterThan(250)
    }
    const below = { left: 0, top: 300, width: 1024, height: 900 }
    const cut = (bytes: Uint8Array) => sharp(bytes).extract(below).png().toBuffer()
    expect(await difference(await cut(framed.clean), await cut(finished.clean))).toBeLessThan(0.1)
  })

  test('tells in every file how it was made', async () => {
    for (const bytes of Object.values<Uint8Array>({ ...finished })) {
      const xmp = await xmpOf(bytes)
      expect(xmp).toContain(`Iptc4xmpExt:DigitalSourceType="${digitalSourceType}"`)
      expect(xmp).toContain('Iptc4xmpExt:AISystemUsed="Starside"')
      expect(xmp).toContain('Iptc4xmpExt:AISystemVersionUsed="1.2.3"')
    }
  })

  test('turns into a PNG of the same pixels and the same packet', async () => {
    const png = await jpegToPng(finished.watermarked)
    expect((await sharp(png).metadata()).format).toBe('png')
    expect(await difference(png, finished.watermarked)).toBe(0)
    expect(await xmpOf(png)).toBe(await xmpOf(finished.watermarked))
    expect(Buffer.from(png.subarray(33, 80)).toString('latin1')).toContain('iTXtXML:com.adobe.xmp')
  })

  test('says in the manifest of a small picture how it was made, and of no mark, which it has not', async () => {
    const signer = createC2paSigner(await makeC2paCredentials())
    for (const file of Object.values(await finishSmall(picture, { ...options, signer }))) {
      const says = (action: string) => Buffer.from(file).includes(action)
      expect([says('c2pa.created'), says('c2pa.watermarked')]).toEqual([true, false])
    }
  })

  test('an installation’s own name stands in the packet', () => {
    const xmp = provenanceXmp({ name: 'Glitter & <Co>', version: '1' })
    expect(xmp).toContain('AISystemUsed="Glitter &#38; &#60;Co&#62;"')
    expect(xmp).not.toContain('Starside')
  })

  test('a version with markup in it leaves the packet well-formed', () => {
    const xmp = provenanceXmp({ version: '1"<&>' })
    expect(xmp).toContain('AISystemVersionUsed="1&#34;&#60;&#38;&#62;"')
  })
})

const hasExiftool = (() => {
  try {
    execFileSync('exiftool', ['-ver'])
    return true
  } catch {
    return false
  }
})()

describe.skipIf(!hasExiftool)('an independent reader (exiftool)', () => {
  test.each(['jpeg', 'png', 'webp', 'avif'] as PictureFormat[])('reads %s', async (format) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'starside-finish-'))
    try {
      const file = path.join(folder, `picture.${format}`)
      writeFileSync(file, await encodePicture(picture, provenanceXmp({ version: '1.2.3' }), format))
      const fields = ['DigitalSourceType', 'AISystemUsed', 'AISystemVersionUsed']
      const output = execFileSync('exiftool', [
        '-s3',
        ...fields.map((field) => `-XMP-iptcExt:${field}`),
        file,
      ])
      expect(output.toString().trim().split('\n')).toEqual([digitalSourceType, 'Starside', '1.2.3'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
