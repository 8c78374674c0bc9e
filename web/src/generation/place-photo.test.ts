import { expect, it } from 'vitest'
import { placePhoto } from './frame.tsx'
import { testUser } from './testing/test-arrangement.ts'
import { photoOf } from './testing/test-photo.ts'

it.each([
  ['in the middle', 0.5, '50.00% 23.33%'],
  ['a little right of it', 0.6, '68.18% 23.33%'],
  ['at the left edge', 0.1, '0.00% 23.33%'],
])('a photo is cropped about its face %s, and leaves no gap', (_, across, position) => {
  expect(placePhoto(photoOf(across))).toEqual({ objectPosition: position })
})

it.each([1, 1.5, 2, 3])(
  'a photo %s times as high as its frame has its face near the middle',
  (times) => {
    const [, down = ''] = String(placePhoto(photoOf(0.5)).objectPosition).split(' ')
    const part = Number.parseFloat(down) / 100
    const faceInPhoto = 0.4
    const faceInFrame = part + (faceInPhoto - part) * times
    expect(Math.abs(faceInFrame - 0.5)).toBeLessThan(0.25)
  },
)

it.each([
  ['as the photo has it', false, 0.4],
  ['mirrored', true, 0.6],
])(
  'a photo beside its picture has its head where the picture has it, and as large: %s',
  (_, mirrored, across) => {
    const photo = photoOf(0.4)
    const { scale, ...place } = placePhoto(photo, { ...testUser, mirrored })
    const [left = 1, top = 1, width = 0, height = 0] = ['left', 'top', 'width', 'height'].map(
      (side) => Number.parseFloat(String(place[side as 'left'])) / 100,
    )
    expect(left + across * width).toBeCloseTo(testUser.x, 2)
    expect(top + 0.4 * height).toBeCloseTo(testUser.y, 2)
    const face = photo.check?.state === 'answered' ? photo.check.answer.faces[0] : undefined
    expect(1.05 * face!.height * height).toBeCloseTo(testUser.size, 2)
    expect(width / height, 'undistorted').toBeCloseTo(16 / 9 / (4 / 5), 2)
    expect(scale).toBe(mirrored ? '-1 1' : undefined)
  },
)

it('a photo whose face is not known is shown a little above its middle', () => {
  const photo = { ...photoOf(0.5), check: null }
  expect(placePhoto(photo, testUser)).toEqual({ objectPosition: '50% 40%' })
})
