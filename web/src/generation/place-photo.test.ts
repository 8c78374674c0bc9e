import { expect, it } from 'vitest'
import { placePhoto } from './frame.tsx'
import { testUser } from './testing/test-arrangement.ts'
import { photoOf } from './testing/test-photo.ts'

it.each([
  ['in the middle', 0.5, '50.00% 50.00%'],
  ['a little right of it', 0.6, '68.18% 50.00%'],
  ['at the left edge', 0.1, '0.00% 50.00%'],
])('a photo is cropped about its face %s, and leaves no gap', (_, across, position) => {
  expect(placePhoto(photoOf(across))).toEqual({ objectPosition: position })
})

it.each([
  ['as far left as the picture has the head', 0.5, testUser.x],
  ['at the edge, as near to it as it can be', 0.05, 0.05 * 1.2 * (16 / 9 / (4 / 5))],
])('a photo beside its picture fills the frame, its face %s', (_, across, expected) => {
  const place = placePhoto(photoOf(across), testUser)
  const [left = 1, top = 1, width = 0, height = 0] = ['left', 'top', 'width', 'height'].map(
    (side) => Number.parseFloat(String(place[side as 'left'])) / 100,
  )
  expect(left + across * width).toBeCloseTo(expected, 2)
  expect(top + 0.4 * height).toBeCloseTo(testUser.y, 2)
  expect(width / height, 'undistorted').toBeCloseTo(16 / 9 / (4 / 5), 2)
  expect(Math.max(left, top)).toBeLessThanOrEqual(0)
  expect(Math.min(left + width, top + height)).toBeGreaterThan(0.998)
})

it('a photo whose face is not known is shown a little above its middle', () => {
  const photo = { ...photoOf(0.5), check: null }
  expect(placePhoto(photo, testUser)).toEqual({ objectPosition: '50% 40%' })
})
