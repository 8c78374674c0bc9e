import sharp from 'sharp'
import { expect, test } from 'vitest'
import { planContent } from './plan-content.ts'

const [width, height] = [400, 300]
/** What no bar looks like: every pixel another colour. */
const scenery = (widthPx = width, heightPx = height) =>
  sharp(Buffer.from(Array.from({ length: widthPx * heightPx * 3 }, (_, n) => (n * 7919) % 251)), {
    raw: { width: widthPx, height: heightPx, channels: 3 },
  })
    .blur(2)
    .linear(1, 0)

const withBars = async (
  bars: Partial<Record<'left' | 'right' | 'top' | 'bottom', number>>,
  background = '#fff',
) =>
  await sharp(await scenery().tint('#806040').png().toBuffer())
    .extend({ ...bars, background })
    .jpeg({ quality: 80 })
    .toBuffer()

test('bars at the sides, above and below are left out, however a JPEG has softened them', async () => {
  const sides = (await planContent(await withBars({ left: 50, right: 50 })))!
  expect(sides.left).toBeGreaterThanOrEqual(0.1)
  expect(sides.left).toBeLessThan(0.115)
  expect(sides.left + sides.width).toBeGreaterThan(0.885)
  expect(sides.left + sides.width).toBeLessThanOrEqual(0.9)
  expect(sides).toMatchObject({ top: 0, height: 1 })
  const story = (await planContent(await withBars({ top: 100, bottom: 100 }, '#000')))!
  expect(story).toMatchObject({ left: 0, width: 1 })
  expect(story.top).toBeGreaterThanOrEqual(0.2)
  expect(story.top + story.height).toBeLessThanOrEqual(0.8)
  const frame = (await planContent(await withBars({ left: 9, right: 9, top: 9, bottom: 9 })))!
  expect(Math.min(frame.left, frame.top)).toBeGreaterThan(0.02)
  expect(Math.max(frame.left, frame.top)).toBeLessThan(0.04)
})

test('a photo without bars is whole, also one of somebody before a plain wall', async () => {
  expect(await planContent(await scenery().jpeg().toBuffer())).toBeUndefined()
  const wall = sharp({ create: { width, height, channels: 3, background: '#f4f4f4' } })
  expect(await planContent(await wall.clone().jpeg().toBuffer())).toBeUndefined()
  const person = await scenery(200, 200).png().toBuffer()
  const before = wall.clone().composite([{ input: person, left: 100, top: 100 }])
  expect(await planContent(await before.jpeg().toBuffer())).toBeUndefined()
  const half = await withBars({ left: 300 })
  expect(await planContent(half), 'more of a bar than of a photo').toBeUndefined()
})
