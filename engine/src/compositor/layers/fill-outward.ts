import type { Frame } from '../shared-frames.ts'
import { createPlane } from '../../image/raster.ts'
import type { Plane } from '../../image/raster.ts'
import { pullPush } from '../../image/pull-push.ts'
import { releaseMemory } from '../../release-memory.ts'

/** The size at which colours are carried outward. */
const shrink = 8

/**
 * Gives every pixel without alpha the colours of the person nearby, in place: nothing is left of the
 * photo behind them, and a filter or a lossy encoding brings no other colour to their edge.
 */
export function fillOutward({ image, alpha }: Frame): void {
  const { width, height, data } = image
  const smallWidth = Math.ceil(width / shrink)
  const smallHeight = Math.ceil(height / shrink)
  const planes: [Plane, Plane, Plane] = [
    createPlane(smallWidth, smallHeight),
    createPlane(smallWidth, smallHeight),
    createPlane(smallWidth, smallHeight),
  ]
  const weight = createPlane(smallWidth, smallHeight)
  for (let y = 0; y < height; y += 2) addRow({ image, alpha }, y, planes, weight)
  for (let i = 0; i < weight.data.length; i++) {
    const sum = weight.data[i]!
    if (sum === 0) continue
    for (const plane of planes) plane.data[i]! /= sum
    weight.data[i] = Math.min(1, sum / 255)
  }
  const filled = pullPush(planes, weight)
  const [{ data: reds }, { data: greens }, { data: blues }] = filled
  const alphas = alpha.data
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / shrink) * smallWidth
    for (let x = 0, i = y * width; x < width; x++, i++) {
      if (alphas[i] !== 0) continue
      const from = row + ((x / shrink) | 0)
      data[i * 3] = reds[from]!
      data[i * 3 + 1] = greens[from]!
      data[i * 3 + 2] = blues[from]!
    }
  }
  releaseMemory(...[...planes, ...filled, weight].map((plane) => plane.data))
}

function addRow(
  { image: { data: colours, width }, alpha: { data: alphas } }: Frame,
  y: number,
  [{ data: reds }, { data: greens }, { data: blues }]: readonly [Plane, Plane, Plane],
  { data: weights, width: smallWidth }: Plane,
): void {
  const row = Math.floor(y / shrink) * smallWidth
  for (let x = 0; x < width; x += 2) {
    const i = y * width + x
    const alpha = alphas[i]!
    if (alpha < 128) continue
    const to = row + ((x / shrink) | 0)
    weights[to]! += alpha
    reds[to]! += colours[i * 3]! * alpha
    greens[to]! += colours[i * 3 + 1]! * alpha
    blues[to]! += colours[i * 3 + 2]! * alpha
  }
}
