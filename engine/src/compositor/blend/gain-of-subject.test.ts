import { expect, test } from 'vitest'
import { luminance } from '../../image/srgb.ts'
import { gainOfSubject } from './gain-of-subject.ts'

test('who has no light of their own is in that of the place, and nowhere unchanged', () => {
  expect(gainOfSubject({})).toEqual([1, 1, 1])
  expect(gainOfSubject({}, [0.5, 0.4, 0.3])).toEqual([0.5, 0.4, 0.3])
})

test('warmth brings red up and blue down at the same brightness, and its opposite as much the other way', () => {
  const [warm, cool] = [1, -1].map((warmth) => gainOfSubject({ warmth }))
  for (const gain of [warm!, cool!]) expect(luminance(...gain)).toBeCloseTo(1, 9)
  expect(warm![0] / warm![2]).toBeCloseTo(2 ** 0.7, 9)
  expect(cool![0] / cool![2]).toBeCloseTo(2 ** -0.7, 9)
})

test('brightness changes the exposure of all channels alike, on top of the place', () => {
  for (const brightness of [-1, 0.5, 1]) {
    const exposure = 2 ** (brightness * 0.8)
    const gain = gainOfSubject({ brightness }, [0.5, 0.4, 0.3])
    for (const [n, ofPlace] of [0.5, 0.4, 0.3].entries()) {
      expect(gain[n]).toBeCloseTo(ofPlace * exposure, 9)
    }
  }
})
