import { describe, expect, it } from 'vitest'
import { buildPyramid } from '../../image/pyramid.ts'
import { createRgb } from '../../image/raster.ts'
import { detectFacesInRegion, mergeDetections, overlap, wholePhotoRegion } from './detect-faces.ts'
import type { DetectedFace } from './detect-faces.ts'
import { orderFaces } from './find-faces.ts'
import type { FoundFace } from './find-faces.ts'
import { quarterRotationsFor } from './turn-upright.ts'
import { headAt } from '../../testing/test-heads.ts'

function detection(x: number, score: number): DetectedFace {
  return { box: { x, y: 0, width: 100, height: 100 }, keypoints: [{ x, y: 0 }], score }
}

function found(x: number, y: number, size: number): FoundFace {
  return {
    detection: detection(x, 1),
    mesh: { points: new Float32Array(), presence: 1 },
    head: headAt(x, y, size),
  }
}

describe('detections', () => {
  it('of the same face become one, weighted by their scores', () => {
    const merged = mergeDetections([detection(0, 0.9), detection(20, 0.3), detection(400, 0.8)])
    expect(merged).toHaveLength(2)
    expect(merged[0]!.box.x).toBeCloseTo(5)
    expect(merged[0]!.score).toBe(0.9)
  })

  it('have the place, width and height that the network gives them, in pixels of the photo', async () => {
    const network = {
      inputShape: [1, 192, 192, 3],
      run: async () => {
        const boxes = new Float32Array(48 * 48 * 16)
        const logits = new Float32Array(48 * 48).fill(-10)
        const anchor = 24 * 48 + 24
        boxes.set([0, 0, 40, 60], anchor * 16)
        logits[anchor] = 5
        return [boxes, logits]
      },
    }
    const photo = buildPyramid(createRgb(384, 384))
    const faces = await detectFacesInRegion(network, photo, wholePhotoRegion(384, 384), 0.5)
    // The anchor is half a cell of 8 pixels beyond the middle, the photo twice as large as the input.
    expect(faces.map(({ box }) => box)).toEqual([{ x: 156, y: 136, width: 80, height: 120 }])
  })

  it('overlap by the shared part of both', () => {
    expect(overlap(detection(0, 1).box, detection(50, 1).box)).toBeCloseTo(1 / 3)
    expect(overlap(detection(0, 1).box, detection(200, 1).box)).toBe(0)
  })
})

describe('the main face', () => {
  it('is the largest and most central one; the others follow from the left', () => {
    const faces = [found(900, 300, 120), found(500, 300, 110), found(100, 300, 60)]
    const order = orderFaces(faces, 1000, 700)
    expect(order.map((face) => face.head.centre.x)).toEqual([500, 100, 900])
  })
})

describe('a photo on its side', () => {
  it.each([
    [0, 0],
    [Math.PI / 2, 3],
    [-Math.PI / 2, 1],
    [Math.PI, 2],
    [0.6, 0],
    // A head that leans far on an upright body.
    [0.95, 0],
    [-0.95, 0],
    [1.2, 3],
  ])('with a roll of %f needs %i quarter turns', (roll, turns) => {
    expect(quarterRotationsFor({ ...headAt(0, 0, 1), roll })).toBe(turns)
  })
})
