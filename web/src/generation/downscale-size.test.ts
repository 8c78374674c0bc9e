import { expect, it } from 'vitest'
import { downscaleSize } from './scale-photo.ts'

it.each([
  [4000, 3000, 2048, 1536],
  [3000, 4000, 1536, 2048],
  [2048, 2048, 2048, 2048],
  [640, 480, 640, 480],
  [10_000, 2, 2048, 1],
])('%i × %i goes up as %i × %i', (widthPx, heightPx, toWidth, toHeight) => {
  expect(downscaleSize(widthPx, heightPx, 2048)).toEqual({ widthPx: toWidth, heightPx: toHeight })
})
