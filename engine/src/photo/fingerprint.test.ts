import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { fingerprintDistance, fingerprintDistanceMax } from './fingerprint-distance.ts'
import { fingerprintPicture } from './fingerprint.ts'

const names = ['user-1', 'user-2', 'user-3', 'user-4', 'user-5', 'star-zuvia', 'star-olmira']
const read = (name: string) =>
  sharp(readFileSync(new URL(`../../fixtures/${name}.jpg`, import.meta.url)))
    .autoOrient()
    .toBuffer()

describe('the fingerprint', () => {
  test.each(names)('of %s survives recompression, scaling and brightening', async (name) => {
    const photo = await read(name)
    const { upright } = await fingerprintPicture(photo)
    expect(upright).toMatch(/^[0-9a-f]{16}$/)
    const { width } = await sharp(photo).metadata()
    const copies = [
      sharp(photo).jpeg({ quality: 20 }),
      sharp(photo)
        .resize(Math.round(width / 2))
        .jpeg({ quality: 60 }),
      sharp(photo).resize(200).webp({ quality: 40 }),
      sharp(photo).greyscale().png(),
      sharp(photo).linear(1.2, 10).jpeg({ quality: 70 }),
    ]
    for (const copy of copies) {
      const other = await fingerprintPicture(await copy.toBuffer())
      expect(fingerprintDistance(upright, other.upright)).toBeLessThanOrEqual(
        fingerprintDistanceMax,
      )
    }
  })

  test('recognises the mirrored picture by its mirrored hash', async () => {
    const photo = await read('user-2')
    const { mirrored, upright } = await fingerprintPicture(photo)
    const flopped = await fingerprintPicture(await sharp(photo).flop().jpeg().toBuffer())
    expect(fingerprintDistance(mirrored, flopped.upright)).toBeLessThanOrEqual(2)
    expect(fingerprintDistance(upright, flopped.upright)).toBeGreaterThan(fingerprintDistanceMax)
  })

  test('of different photos is far apart', async () => {
    const hashes = await Promise.all(
      names.map(async (name) => (await fingerprintPicture(await read(name))).upright),
    )
    for (const [index, one] of hashes.entries()) {
      for (const other of hashes.slice(index + 1)) {
        expect(fingerprintDistance(one, other), 'twice as far as a copy').toBeGreaterThanOrEqual(
          2 * fingerprintDistanceMax,
        )
      }
    }
  })
})
