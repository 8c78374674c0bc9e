import { describe, expect, test } from 'vitest'
import { findInPart, planCloseUp } from './close-up.ts'

const photo = { widthPx: 2048, heightPx: 1536, shrunkBy: 2 }
const face = (x: number, y: number) => ({ x, y, width: 0.05, height: 0.05 * (4 / 3) })

describe('the part of a photo about the faces that are meant', () => {
  test('is as large as a picture may show, and ends with the photo', () => {
    const part = planCloseUp(photo, [face(0.5, 0.5)])!
    expect(part.left).toBeCloseTo(0.525 - 0.2)
    expect(part.width).toBeCloseTo(0.4)
    expect(planCloseUp(photo, [face(0, 0)])).toMatchObject({ left: 0, top: 0 })
  })

  test('holds all of them', () => {
    const part = planCloseUp(photo, [face(0.3, 0.4), face(0.5, 0.4)])!
    expect(part.left).toBeCloseTo(0.325 - 0.2)
    expect(part.width).toBeCloseTo(0.6)
  })

  test('is none where the photo was not made smaller, or the faces fill it', () => {
    expect(planCloseUp({ ...photo, shrunkBy: undefined }, [face(0.5, 0.5)])).toBeUndefined()
    expect(planCloseUp(photo, [face(0.1, 0.5), face(0.85, 0.5)])).toBeUndefined()
  })

  test('ends where the photo’s bars begin, though the upload has no more of it', () => {
    const content = { left: 0.125, top: 0, width: 0.75, height: 1 }
    const small = { widthPx: 400, heightPx: 300 }
    const large = { x: 0.4, y: 0.2, width: 0.3, height: 0.4 }
    expect(planCloseUp(small, [large], content)).toEqual(content)
    expect(planCloseUp(small, [large])).toBeUndefined()
  })
})

test('faces are found again in the part, unless one of them is missing there', () => {
  const part = { left: 0.25, top: 0.25, width: 0.5, height: 0.5 }
  const inPart = { x: 0.5, y: 0.5, width: 0.1, height: 0.13 }
  expect(findInPart([face(0.5, 0.5)], part, [face(0.1, 0.1), inPart])).toEqual([1])
  expect(findInPart([face(0.5, 0.5), face(0.3, 0.3)], part, [inPart])).toBeUndefined()
  expect(findInPart([face(0.5, 0.5), face(0.505, 0.5)], part, [inPart])).toBeUndefined()
})
