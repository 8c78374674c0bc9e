import { describe, expect, it } from 'vitest'
import { mergeDetections, overlap } from './detect-faces.ts'
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
  ])('with a roll of %f needs %i quarter turns', (roll, turns) => {
    expect(quarterRotationsFor({ ...headAt(0, 0, 1), roll })).toBe(turns)
  })
})
