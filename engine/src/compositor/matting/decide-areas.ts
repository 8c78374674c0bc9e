import { gaussianBlur } from '../../image/box-blur.ts'
import { clamp, createPlane, smoothstep } from '../../image/raster.ts'
import type { Plane } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import { bodyProbability } from './body-shape.ts'
import type { SegmentedCrop } from './join-crops.ts'

/** What lies about a pixel, as a standard deviation: in head sizes, and in pixels of the crop at least. */
const around = { heads: 0.08, pixelsMin: 2.5 }
/** Mean doubt about a pixel: less is a soft edge's, more is an area's. */
const areaDoubt = [0.3, 0.55] as const
/** The mean from which on an area is a person's: where no body is expected, and where one is by such a probability. */
const takenFrom = { outside: 0.9, inside: 0.3, expected: [0.3, 0.9] } as const
/** So near the middle of a face, in head sizes, areas are hair's and stay; farther on they are decided. */
const hairReach = [0.8, 1.1] as const
/** The outline of a decided area is soft over this much of the mean. */
const softness = 0.1

/**
 * Decides areas that the network leaves half, so that nothing is see-through: all of one is a person's or nothing is, by its
 * mean and by where bodies are expected. Soft edges and what is near a head, as hair, stay. Works in place.
 * @param headSize of those who are cut out, in pixels of the photo
 * @param heads of everybody
 */
export function decideAreas(
  { region, matte }: SegmentedCrop,
  headSize: number,
  heads: readonly HeadMeasure[],
): void {
  const { data, width, height } = matte
  const pixel = { x: region.width / width, y: region.height / height }
  const pixelSide = Math.sqrt(pixel.x * pixel.y)
  const sigma = Math.max(around.pixelsMin, (around.heads * headSize) / pixelSide)
  const doubts = doubtsOf(matte)
  const doubt = gaussianBlur(doubts, sigma)
  const weighted = product(doubts, matte)
  const mean = gaussianBlur(weighted, sigma)
  for (let i = 0; i < data.length; i++) {
    const doubted = smoothstep(...areaDoubt, doubt.data[i]!) * Math.min(1, 2 * doubts.data[i]!)
    if (doubted === 0) continue
    const x = region.x + ((i % width) + 0.5) * pixel.x
    const y = region.y + (Math.floor(i / width) + 0.5) * pixel.y
    const area = doubted * Math.min(...heads.map((each) => beyondHair(each, x, y)))
    if (area === 0) continue
    const body = Math.max(...heads.map((each) => bodyProbability(each, x, y)))
    const from =
      takenFrom.outside +
      (takenFrom.inside - takenFrom.outside) * smoothstep(...takenFrom.expected, body)
    const decided = clamp((mean.data[i]! / doubt.data[i]! - from) / softness + 0.5, 0, 1)
    data[i]! += (decided - data[i]!) * area
  }
  releaseMemory(doubts.data, doubt.data, weighted.data, mean.data)
}

/** How far a point lies beyond a head's hair: 0 within, 1 clear of it. */
function beyondHair({ centre, size }: HeadMeasure, x: number, y: number): number {
  return smoothstep(...hairReach, Math.hypot(x - centre.x, y - centre.y) / size)
}

/** 1 where a matte is a half, 0 where it is decided. */
function doubtsOf({ data, width, height }: Plane): Plane {
  const doubts = createPlane(width, height)
  for (let i = 0; i < data.length; i++) doubts.data[i] = 4 * data[i]! * (1 - data[i]!)
  return doubts
}

function product(one: Plane, other: Plane): Plane {
  const result = createPlane(one.width, one.height)
  for (let i = 0; i < result.data.length; i++) result.data[i] = one.data[i]! * other.data[i]!
  return result
}
