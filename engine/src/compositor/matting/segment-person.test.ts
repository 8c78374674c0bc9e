import { expect, test } from 'vitest'
import { buildPyramid } from '../../image/pyramid.ts'
import { headAt } from '../../testing/test-heads.ts'
import { paintRgb } from '../../testing/test-images.ts'
import { segmentPerson } from './segment-person.ts'

test('others who have to leave the background are looked at closely too', async () => {
  const photo = buildPyramid(paintRgb(900, 600, () => [90, 120, 80]))
  const network = {
    inputShape: [1, 256, 256, 3],
    run: async () => [new Float32Array(256 * 256)],
  }
  const [own, other] = [headAt(200, 200, 80), headAt(700, 200, 70)]
  const crops = await segmentPerson(network, photo, [own], [other])
  const about = crops.filter(({ region }) => region.width < 900 && region.x + region.width > 700)
  expect(about).toHaveLength(1)
  expect(about[0]!.region.width).toBeLessThan(5 * other.size)
})
