import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { c2paFingerprint, createC2paSigner } from '@starside/provenance/c2pa.ts'
import type { C2paCredentials } from '@starside/provenance/c2pa.ts'
import { makeC2paCredentials } from '@starside/provenance/testing/make-c2pa-credentials.ts'
import { finishSelfie } from './finish-selfie.ts'
import type { FinishedPictures } from './finish-selfie.ts'
import { openProvenance } from '@starside/provenance/open-provenance.ts'
import { digitalSourceType } from '@starside/provenance/provenance.ts'
import { readProvenance } from './read-provenance.ts'
import { readXmpProvenance } from '@starside/provenance/read-xmp.ts'
import { jpegToPng } from './to-png.ts'

const markKey = Buffer.from('0123456789abcdef')
const id = 'ab54a98ceb1f0ad2'
const original = fileURLToPath(new URL('../../fixtures/pair-1.jpg', import.meta.url))

let credentials: C2paCredentials
let finished: FinishedPictures
let settings: { markKey: Uint8Array; ownFingerprint: string }
beforeAll(async () => {
  credentials = await makeC2paCredentials()
  settings = { markKey, ownFingerprint: c2paFingerprint(credentials) }
  const { data, info } = await sharp(original).raw().toBuffer({ resolveWithObject: true })
  const made = await finishSelfie(
    { pixels: data, widthPx: info.width, heightPx: info.height },
    {
      watermarkText: 'starside.example',
      systemVersion: '1.2.3',
      mark: { id, key: markKey },
      signer: createC2paSigner(credentials),
    },
  )
  finished = made.files
})

describe('a picture that was made here', () => {
  test('is reported by its mark, its signature and its metadata', async () => {
    for (const file of [finished.clean, finished.watermarked]) {
      expect(await readProvenance(file, settings)).toMatchObject({
        markId: id,
        xmp: { digitalSourceType, systemName: 'Starside', systemVersion: '1.2.3' },
        c2pa: { isIntact: true, isOurs: true, failures: [] },
      })
    }
  })

  test('as a PNG, too', async () => {
    const png = await jpegToPng(finished.watermarked, {
      signer: createC2paSigner(credentials),
      markKey,
    })
    expect(Buffer.from(png).includes('c2pa.watermarked')).toBe(true)
    expect(await readProvenance(png, settings)).toMatchObject({
      markId: id,
      xmp: { systemVersion: '1.2.3' },
      c2pa: { isOurs: true },
    })
  })

  test('is still told by its mark when everything else was stripped', async () => {
    const stripped = await sharp(finished.watermarked).resize(512).jpeg({ quality: 60 }).toBuffer()
    expect(await readProvenance(stripped, settings)).toEqual({
      markId: id,
      xmp: { digitalSourceType: undefined, systemName: undefined, systemVersion: undefined },
      c2pa: undefined,
    })
  })

  test('its thumbnails carry the metadata and the mark, too', async () => {
    const reading = await readProvenance(finished.cleanThumbnail, settings)
    expect(reading.xmp.digitalSourceType).toBe(digitalSourceType)
    expect(reading.markId).toBe(id)
  })

  test('may be asked about at the size of an icon, too', async () => {
    const icon = await sharp(finished.clean).resize(60).keepMetadata().jpeg().toBuffer()
    const { markId, xmp } = await readProvenance(icon, settings)
    expect([markId, xmp.systemName]).toEqual([undefined, 'Starside'])
  })

  test('edited and saved under its old signature is reported as changed', async () => {
    const changed = Buffer.from(finished.clean)
    changed[changed.length - 3_000]! ^= 4
    const { c2pa } = await readProvenance(changed, settings)
    expect(c2pa).toMatchObject({ isIntact: false, isOurs: false })
  })
})

describe('a picture that was not made here', () => {
  test('has nothing of it', async () => {
    expect(await readProvenance(await sharp(original).png().toBuffer(), settings)).toEqual({
      markId: undefined,
      xmp: { digitalSourceType: undefined, systemName: undefined, systemVersion: undefined },
      c2pa: undefined,
    })
  })

  test('signed by somebody else is not ours', async () => {
    const signer = createC2paSigner(await makeC2paCredentials())
    const file = await signer.sign(await sharp(original).jpeg().toBuffer(), {
      systemVersion: '1.2.3',
      isMarked: true,
    })
    for (const own of [settings, { markKey }]) {
      expect((await readProvenance(file, own)).c2pa).toMatchObject({
        isIntact: true,
        isOurs: false,
      })
    }
  })

  test('is refused like any upload when it is none', async () => {
    const letter = Buffer.from('a letter')
    await expect(readProvenance(letter, settings)).rejects.toMatchObject({ code: 'photo_format' })
  })
})

describe('XMP', () => {
  test('is read from elements as from attributes, and with entities', () => {
    const packet = `<rdf:Description Iptc4xmpExt:AISystemUsed="A &amp; B &#66;">
      <Iptc4xmpExt:DigitalSourceType> ${digitalSourceType} </Iptc4xmpExt:DigitalSourceType>`
    expect(readXmpProvenance(packet)).toEqual({
      digitalSourceType,
      systemName: 'A & B B',
      systemVersion: undefined,
    })
  })

  test('of hostile shape is read in no time and gives nothing', () => {
    const packet = 'Iptc4xmpExt:DigitalSourceType= '.repeat(200_000)
    expect(readXmpProvenance(packet).digitalSourceType).toBeUndefined()
    expect(readXmpProvenance('Iptc4xmpExt:AISystemUsed="&#9999999;"').systemName).toBe('&#9999999;')
  })
})

describe('settings', () => {
  test('without any, nothing is marked or signed', async () => {
    expect(await openProvenance()).toEqual({
      signer: undefined,
      ownFingerprint: undefined,
      markKey: undefined,
    })
  })

  test('a short mark key is refused', async () => {
    await expect(openProvenance({ markKey: Buffer.from('short') })).rejects.toThrow('16 bytes')
  })
})
