import { beforeEach, describe, expect, test } from 'vitest'
import type { Selfie, SheetVariation } from '@starside/engine/engine-calls.ts'
import { unseal } from '../../platform/secrets/seal.ts'
import { arrangementAt } from '../../testing/arrangement-at.ts'
import { storePictures, storeSheet } from './store-sheet.ts'
import { variationKeys } from './variation-queries.ts'

const generationId = '01890a5d-ac96-774b-bcce-b302099a8057'

/** What was stored, by its key. */
let objects: Map<string, { text: string; bytes: Buffer; mediaType: string }>
let names: number
const parts = {
  store: {
    async put(key: string, bytes: Uint8Array, mediaType: string) {
      expect(objects.has(key), 'two never mix').toBe(false)
      objects.set(key, {
        text: Buffer.from(bytes).toString(),
        bytes: Buffer.from(bytes),
        mediaType,
      })
    },
  },
  randomBytes: (length: number) => Buffer.alloc(length, (names += 1)),
} as never
beforeEach(() => {
  objects = new Map()
  names = 0
})

const selfie = (name: string): Selfie => ({
  clean: Buffer.from(`${name} clean`),
  watermarked: Buffer.from(`${name} watermarked`),
  cleanThumbnail: Buffer.from(`${name} small clean`),
  watermarkedThumbnail: Buffer.from(`${name} small watermarked`),
  widthPx: 1024,
  heightPx: 1280,
  provider: 'test',
  model: 'test',
  fingerprint: { upright: '', mirrored: '' },
})
const variation = (place: number): SheetVariation => ({
  clean: Buffer.from(`${place} clean`),
  watermarked: Buffer.from(`${place} watermarked`),
  arrangement: arrangementAt(place / 10),
  widthPx: 410,
  heightPx: 512,
  quality: 1,
})
const judged = (name: string) => ({ selfie: selfie(name), pictureHash: name })
const textOf = (key: string) => objects.get(key)?.text

describe('a sheet', () => {
  test('is stored with its best picture at full size, the others small, and its layers', async () => {
    const stored = await storeSheet(parts, generationId, {
      best: judged('best'),
      variations: [variation(0), variation(1), variation(2)],
      layers: Buffer.from('layers'),
    })
    expect(variationKeys(stored.picture).map(textOf)).toEqual([
      'best clean',
      'best watermarked',
      'best small clean',
      'best small watermarked',
    ])
    expect(stored.variations).toMatchObject([
      { arrangement: arrangementAt(0), ...stored.picture },
      { arrangement: arrangementAt(0.1), width_px: 410, height_px: 512 },
      { arrangement: arrangementAt(0.2), width_px: 410, height_px: 512 },
    ])
    expect(stored.picture).toMatchObject({ width_px: 1024, height_px: 1280 })
    const [, ...small] = stored.variations
    expect(small.map((each) => variationKeys(each).map(textOf))).toEqual([
      ['1 clean', '1 watermarked'],
      ['2 clean', '2 watermarked'],
    ])
    expect(stored.objectKeys.toSorted(), 'all of them').toEqual([...objects.keys()].toSorted())
    expect(stored.objectKeys).toHaveLength(4 + 2 * 2 + 1)
    const pictures = [...objects].filter(([, { mediaType }]) => mediaType === 'image/jpeg')
    expect(pictures).toHaveLength(8)
    for (const [key] of pictures) expect(key).toMatch(new RegExp(`^variations/${generationId}/`))
  })

  test('has its layers sealed for its generation', async () => {
    const { layers } = await storeSheet(parts, generationId, {
      best: judged('best'),
      variations: [variation(0)],
      layers: Buffer.from('layers'),
    })
    const kept = objects.get(layers!.key)!
    expect(layers?.key).toMatch(new RegExp(`^layers/${generationId}/[0-9a-f]{12}$`))
    expect([kept.mediaType, kept.text.includes('layers')]).toEqual([
      'application/octet-stream',
      false,
    ])
    const opened = unseal(kept.bytes, { key: layers!.encryptionKey, subject: generationId })
    expect(opened?.toString()).toBe('layers')
  })

  test('of one picture alone lies where pictures lie', async () => {
    const stored = await storeSheet(parts, generationId, {
      best: judged('best'),
      variations: [],
      layers: undefined,
    })
    expect([stored.variations, stored.layers]).toEqual([[], undefined])
    expect(stored.objectKeys).toEqual([...objects.keys()])
    for (const key of stored.objectKeys) {
      expect(key).toMatch(new RegExp(`^pictures/${generationId}/[0-9a-f]{12}-[a-z-]+[.]jpg$`))
    }
  })
})

describe('pictures of a hosted model', () => {
  test('are each stored at full size, the first as the best', async () => {
    const stored = await storePictures(parts, generationId, [judged('a'), judged('b')])
    expect(textOf(stored.picture.clean_key)).toBe('a clean')
    const about = { arrangement: null, width_px: 1024, height_px: 1280 }
    expect(stored.variations).toMatchObject([
      { ...about, ...stored.picture },
      { ...about, picture_hash: 'b' },
    ])
    const [, other] = stored.variations
    expect(textOf(other?.watermarked_thumbnail_key ?? '')).toBe('b small watermarked')
    expect(stored.objectKeys.toSorted()).toEqual([...objects.keys()].toSorted())
    expect(stored.objectKeys).toHaveLength(8)
    for (const key of stored.objectKeys) expect(key).toMatch(/^variations[/]/)
  })

  test('of which there is one have no variations', async () => {
    const stored = await storePictures(parts, generationId, [judged('a')])
    expect(stored).toMatchObject({ variations: [], layers: undefined })
    expect(stored.picture.clean_key).toMatch(/^pictures[/]/)
  })
})
