import sharp from 'sharp'
import { expect, test } from 'vitest'
import { countScans } from './count-scans.ts'
import { decodePicture } from './decode-picture.ts'
import { normalisePhoto } from './normalise.ts'

const widthPx = 320
const picture = (progressive: boolean) =>
  sharp({ create: { width: widthPx, height: widthPx, channels: 3, background: '#785a3c' } })
    .jpeg({ progressive, chromaSubsampling: '4:4:4' })
    .toBuffer()

/** The first scan of a progressive JPEG, then every further one that there may be, each without news. */
async function withAllScans(): Promise<Buffer> {
  const jpeg = await picture(true)
  const first = jpeg.indexOf('ffda', 0, 'hex')
  // The next scan's tables, or its head.
  const [end = 0] = ['ffc4', 'ffda']
    .map((marker) => jpeg.indexOf(marker, first + 2, 'hex'))
    .filter((at) => at !== -1)
    .toSorted((one, other) => one - other)
  // A table of one code, of one bit: a run of up to 32,767 blocks that stay as they are.
  const table = Buffer.from(`ffc4001410${'01'.padEnd(32, '0')}e0`, 'hex')
  const blocks = (widthPx / 8) ** 2
  // All its extra bits are ones: more blocks than there are.
  expect(blocks).toBeLessThan(32_767)
  const news = Buffer.from([0x7f, 0xff, 0x00])
  const scans: Buffer[] = []
  for (let bit = 13; bit >= 0; bit -= 1) {
    const precision = bit === 13 ? bit : ((bit + 1) << 4) | bit
    for (const component of [1, 2, 3]) {
      for (let place = 1; place < 64; place += 1) {
        const head = [0xff, 0xda, 0, 8, 1, component, 0, place, place, precision]
        scans.push(Buffer.from(head), news)
      }
    }
  }
  return Buffer.concat([jpeg.subarray(0, end), table, ...scans, Buffer.from('ffd9', 'hex')])
}

test('scans are counted as they lie in the file, and no further than is asked', async () => {
  expect(countScans(await picture(false), 100)).toBe(1)
  const progressive = countScans(await picture(true), 100)
  expect(progressive).toBeGreaterThan(5)
  expect(progressive).toBeLessThan(20)
  const many = await withAllScans()
  expect(countScans(many, 10_000)).toBe(1 + 14 * 3 * 63)
  expect(countScans(many, 100)).toBe(101)
  // What a segment holds is none of the file's own scans, and a file that breaks off ends.
  const comment = Buffer.from('fffe000affda0008ffda0008', 'hex')
  const [start, rest] = [many.subarray(0, 2), (await picture(false)).subarray(2)]
  expect(countScans(Buffer.concat([start, comment, rest]), 100)).toBe(1)
  for (const end of [0, 1, 2, 3, 200]) expect(countScans(many.subarray(0, end), 100)).toBe(0)
})

test('a photo that is gone over thousands of times is refused before it is decoded', async () => {
  const many = await withAllScans()
  expect((await sharp(many, { failOn: 'error' }).raw().toBuffer()).length).toBe(3 * widthPx ** 2)
  await expect(normalisePhoto(many)).rejects.toMatchObject({ code: 'photo_damaged' })
  await expect(decodePicture(many, { sidePxMin: 1 })).rejects.toMatchObject({
    fault: 'picture_damaged',
  })
  expect((await normalisePhoto(await picture(true))).widthPx).toBe(widthPx)
})
