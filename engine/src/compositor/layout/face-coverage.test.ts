import { describe, expect, it } from 'vitest'
import { faceCover, faceMargin } from '../../testing/face-coverage.ts'
import { pointsInFace } from './face-coverage.ts'
import { traceSilhouette } from '../matting/silhouette.ts'
import { headAt } from '../../testing/test-heads.ts'
import { paintPlane } from '../../testing/test-images.ts'

const inPlace = { a: 1, b: 0, tx: 0, ty: 0 }
const head = headAt(100, 100, 80)

/** Somebody who fills the photo from this column on. */
function filledFrom(column: number) {
  const matte = paintPlane(200, 200, (x) => (x >= column ? 1 : 0))
  return { head, silhouette: traceSilhouette(matte, [head], { width: 200, height: 200 }) }
}

describe('the cover of a face', () => {
  it('is the part of its oval that the person in front lies over', () => {
    const inFace = pointsInFace(head)
    expect(faceCover(inFace, inPlace, filledFrom(100), inPlace)).toBeCloseTo(0.5, 1)
    expect(faceCover(inFace, inPlace, filledFrom(0), inPlace)).toBe(1)
    expect(faceCover(inFace, inPlace, filledFrom(140), inPlace)).toBe(0)
  })

  it('follows both people to their places in the picture', () => {
    const inFace = pointsInFace(head)
    const moved = { a: 1, b: 0, tx: 60, ty: 0 }
    expect(faceCover(inFace, inPlace, filledFrom(80), moved)).toBe(0)
    expect(faceCover(inFace, moved, filledFrom(80), inPlace)).toBe(1)
  })
})

describe('the margin of a face', () => {
  it('is the distance of its outline to the nearest border, in parts of the picture', () => {
    // The oval reaches from 68 to 132 across and from 60 to 140 down.
    expect(faceMargin(head.oval, inPlace, 1000, 1000)).toBeCloseTo(0.06)
    expect(faceMargin(head.oval, inPlace, 140, 1000)).toBeCloseTo(8 / 140)
  })

  it('is negative where the face leaves the picture', () => {
    expect(faceMargin(head.oval, inPlace, 1000, 130)).toBeLessThan(0)
  })
})
