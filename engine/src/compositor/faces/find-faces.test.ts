import { expect, it } from 'vitest'
import { buildPyramid } from '../../image/pyramid.ts'
import { createRgb } from '../../image/raster.ts'
import type { Network } from '../../models/litert-runtime.ts'
import { placeFace } from '../../testing/test-face.ts'
import { findFaces } from './find-faces.ts'

/** A detector that sees a face at each of these middles, given and answered in pixels of its input. */
function detectorSeeing(middles: readonly { x: number; y: number }[], logit = 9): Network {
  return {
    inputShape: [1, 192, 192, 3],
    run: () => {
      const [boxes, logits] = [new Float32Array(48 * 48 * 16), new Float32Array(48 * 48).fill(-9)]
      for (const { x, y } of middles) {
        const anchor = Math.floor(y / 4) * 48 + Math.floor(x / 4)
        logits[anchor] = logit
        // The box, and both eyes beside its middle.
        boxes.set([0, 0, 40, 40, -8, 0, 8, 0], anchor * 16)
      }
      return Promise.resolve([boxes, logits])
    },
  }
}

/** A mesh network that finds its face where the input is white. */
const meshOfWhite: Network = {
  inputShape: [1, 192, 192, 3],
  run(input) {
    let [count, sumX, sumY] = [0, 0, 0]
    for (let i = 0; i < 192 * 192; i++) {
      if (input[i * 3]! < 0.5) continue
      count++
      sumX += i % 192
      sumY += Math.floor(i / 192)
    }
    const size = Math.sqrt(count) * 1.5
    const points = placeFace({ x: sumX / count, y: sumY / count }, size).mesh.points
    return Promise.resolve([points, Float32Array.of(9)])
  },
}

it('takes two detections whose points lie on one face for that one face', async () => {
  const photo = createRgb(576, 576)
  for (let y = 258; y < 318; y++) photo.data.fill(255, (y * 576 + 258) * 3, (y * 576 + 318) * 3)
  const middles = [
    { x: 78, y: 96 },
    { x: 114, y: 96 },
  ]
  const networks = { faceDetector: detectorSeeing(middles), faceMesh: meshOfWhite }
  const faces = await findFaces(networks, buildPyramid(photo))
  expect(faces).toHaveLength(1)
  expect(faces[0]!.head.centre.x).toBeCloseTo(288, -1)
})

/** A mesh network that finds its face in the middle of what is cut out, as sure as that. */
const meshInMiddle = (logit = 9): Network => ({
  inputShape: [1, 192, 192, 3],
  run: () => Promise.resolve([placeFace({ x: 96, y: 96 }, 60).mesh.points, Float32Array.of(logit)]),
})

it('measures the eighteen largest faces of a large group', async () => {
  const middles = Array.from({ length: 20 }, (_, n) => ({
    x: 18 + 36 * (n % 5),
    y: 24 + 44 * Math.floor(n / 5),
  }))
  const networks = { faceDetector: detectorSeeing(middles), faceMesh: meshInMiddle() }
  expect(await findFaces(networks, buildPyramid(createRgb(576, 576)))).toHaveLength(18)
})

it.each([
  [0.1, 0.1, 1],
  [-0.1, 9, 0],
  [9, -0.1, 0],
])('takes a face for one where both networks rather think so: %f and %f', async (...logits) => {
  const [detected, measured, count] = logits
  const middle = [{ x: 98, y: 98 }]
  const networks = {
    faceDetector: detectorSeeing(middle, detected),
    faceMesh: meshInMiddle(measured),
  }
  expect(await findFaces(networks, buildPyramid(createRgb(576, 576)))).toHaveLength(count)
})

it('keeps a small face that only the whole photo shows', async () => {
  const [seeing, blind] = [detectorSeeing([{ x: 98, y: 98 }]), detectorSeeing([])]
  let askedCount = 0
  const faceDetector: Network = {
    ...seeing,
    async run(input) {
      askedCount += 1
      const [boxes, logits] = await (askedCount === 1 ? seeing : blind).run(input)
      boxes!.set([20, 20], (24 * 48 + 24) * 16 + 2)
      return [boxes!, logits!]
    },
  }
  const networks = { faceDetector, faceMesh: meshInMiddle() }
  expect(await findFaces(networks, buildPyramid(createRgb(576, 576)))).toHaveLength(1)
  expect(askedCount, 'its parts were looked at').toBeGreaterThan(1)
})
