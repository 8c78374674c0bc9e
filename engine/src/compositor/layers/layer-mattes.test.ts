import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { normalisePhoto } from '../../photo/normalise.ts'
import { createCompositor } from '../compositor.ts'
import type { SubjectLayer } from './layers.ts'
import { readLayers } from './read-layers.ts'

const fixture = async (name: string): Promise<Buffer> =>
  await readFile(new URL(`../../../fixtures/${name}`, import.meta.url))

test('a layer that was stored has nearly the matte with which the photo was rendered', async () => {
  const compositor = await createCompositor()
  try {
    const sheet = await compositor.variations.makeSheet(
      {
        userPhoto: await normalisePhoto(await fixture('star-zuvia.jpg')),
        stars: [{ photo: await normalisePhoto(await fixture('user-4.jpg')) }],
        aspect: '4:5',
        resolution: 'standard',
      },
      1,
      true,
    )
    const { subjects } = await readLayers((await sheet.layers)!)
    const { mean, edge } = await matteError(subjects[0]!, await fixture('star-zuvia-cutout.webp'))
    expect(mean).toBeLessThan(0.025)
    expect(edge).toBeLessThan(0.21)
  } finally {
    await compositor.close()
  }
})

/**
 * Mean difference of a layer's matte from the exact one, 0…1, in all of the layer and where the exact one
 * is neither 0 nor 1.
 * @param cutOut of the same photo, of any size
 */
async function matteError(
  { frame: { alpha }, place, reading }: SubjectLayer,
  cutOut: Buffer,
): Promise<{ mean: number; edge: number }> {
  const exact = await sharp(cutOut)
    .extractChannel(3)
    .resize(reading.width, reading.height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = exact.info
  const sums = { all: 0, edge: 0, edgePixels: 0 }
  for (let y = 0, i = 0; y < alpha.height; y++) {
    const row = Math.min(height - 1, Math.floor(place.top + (y + 0.5) / place.scale))
    for (let x = 0; x < alpha.width; x++, i++) {
      const column = Math.min(width - 1, Math.floor(place.left + (x + 0.5) / place.scale))
      const truth = exact.data[row * width + column]!
      const difference = Math.abs(alpha.data[i]! - truth) / 255
      sums.all += difference
      if (truth === 0 || truth === 255) continue
      sums.edge += difference
      sums.edgePixels++
    }
  }
  return { mean: sums.all / alpha.data.length, edge: sums.edge / sums.edgePixels }
}
