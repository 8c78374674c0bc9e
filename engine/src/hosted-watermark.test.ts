import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { createEngine } from './engine.ts'

const engine = createEngine()
afterAll(() => engine.close())

const [widthPx, heightPx] = [1280, 800]
/** A JPEG's colours are told for squares of sixteen pixels. */
const squarePx = 16

/** Two portraits side by side, as a hosted model's picture. */
async function hostedPicture(): Promise<Buffer> {
  const tiles = ['user-4.jpg', 'user-5.jpg'].map(async (name, index) => ({
    input: await sharp(await readFile(new URL(`../fixtures/${name}`, import.meta.url)))
      .autoOrient()
      .resize(widthPx / 2, heightPx, { fit: 'cover', position: 'top' })
      .toBuffer(),
    left: (index * widthPx) / 2,
    top: 0,
  }))
  const canvas = { width: widthPx, height: heightPx, channels: 3, background: '#ccc' } as const
  return sharp({ create: canvas })
    .composite(await Promise.all(tiles))
    .png()
    .toBuffer()
}

test('of a hosted picture the two kinds differ by the brand mark in its corner, and by nothing else', async () => {
  const { clean, watermarked } = await engine.finishProviderPicture({
    bytes: await hostedPicture(),
    headCount: 2,
    mayHaveOthers: false,
    watermarkText: 'starside.example',
    systemVersion: '1.2.3',
    provider: 'fal',
    model: 'google/nano-banana-2.1/edit',
  })
  const [plain, marked] = await Promise.all(
    [clean, watermarked].map((bytes) => sharp(bytes).raw().toBuffer()),
  )
  const changed = { left: widthPx, top: heightPx, right: 0, bottom: 0, count: 0 }
  for (let index = 0; index < (plain?.length ?? 0); index += 3) {
    if (Math.abs((plain?.[index] ?? 0) - (marked?.[index] ?? 0)) < 24) continue
    const [x, y] = [(index / 3) % widthPx, Math.floor(index / 3 / widthPx)]
    changed.left = Math.min(changed.left, x)
    changed.right = Math.max(changed.right, x)
    changed.top = Math.min(changed.top, y)
    changed.bottom = Math.max(changed.bottom, y)
    changed.count += 1
  }
  expect(changed.count).toBeGreaterThan(1_000)
  expect(changed.left).toBeGreaterThan(widthPx / 2)
  expect(changed.top).toBeGreaterThan(heightPx * 0.85)
  expect(changed.right).toBeLessThan(widthPx - squarePx)
  expect(changed.bottom).toBeLessThan(heightPx - squarePx)
})
