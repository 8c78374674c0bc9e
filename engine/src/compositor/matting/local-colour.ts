import { gaussianBlur } from '../../image/box-blur.ts'
import { createPlane } from '../../image/raster.ts'
import type { Plane } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'

/** Red, green and blue of a part of a photo, 0…255. */
export type Channels = readonly [Plane, Plane, Plane]

/** Means of one kind of pixels about every pixel of a part. */
export interface LocalColour {
  /** Of the three channels, 0…255. */
  means: readonly [Plane, Plane, Plane]
  /** How much is known nearby, 0…1. */
  weight: Plane
}

/** The same, with the mean of the three channels' standard deviations. */
export interface SpreadColour extends LocalColour {
  spread: Plane
}

/** How far a pixel lies from one colour (0) to another (1), along the line between both. */
export function shareOf(channels: Channels, from: LocalColour, to: LocalColour, i: number): number {
  if (to.weight.data[i]! < 0.02) return 0
  let along = 0
  let squares = 1
  for (let c = 0; c < 3; c++) {
    const start = from.means[c]!.data[i]!
    const step = to.means[c]!.data[i]! - start
    along += (channels[c]!.data[i]! - start) * step
    squares += step * step
  }
  return along / squares
}

/** Means of the colours that a mask lets through. */
export function localColour(channels: Channels, mask: Plane, sigma: number): LocalColour {
  const weight = gaussianBlur(mask, sigma)
  const meanOf = (channel: Plane): Plane => {
    const mean = blurProduct(channel.data, mask, sigma)
    divideBy(mean.data, weight.data)
    return mean
  }
  return { means: [meanOf(channels[0]), meanOf(channels[1]), meanOf(channels[2])], weight }
}

/** The same, and how far those colours are spread. */
export function spreadColour(channels: Channels, mask: Plane, sigma: number): SpreadColour {
  const found = localColour(channels, mask, sigma)
  const spread = createPlane(mask.width, mask.height)
  for (let c = 0; c < 3; c++) {
    const { data } = channels[c]!
    const squared = { ...mask, data: new Float32Array(data.length) }
    multiplyInto(squared.data, data, data)
    const squares = blurProduct(squared.data, mask, sigma)
    divideBy(squares.data, found.weight.data)
    addDeviation(spread.data, squares.data, found.means[c]!.data)
    releaseMemory(squared.data, squares.data)
  }
  return { ...found, spread }
}

function blurProduct(values: Float32Array, mask: Plane, sigma: number): Plane {
  const product = createPlane(mask.width, mask.height)
  multiplyInto(product.data, values, mask.data)
  const blurred = gaussianBlur(product, sigma)
  releaseMemory(product.data)
  return blurred
}

function multiplyInto(target: Float32Array, one: Float32Array, other: Float32Array): void {
  for (let i = 0; i < target.length; i++) target[i] = one[i]! * other[i]!
}

function divideBy(values: Float32Array, weights: Float32Array): void {
  for (let i = 0; i < values.length; i++) values[i]! /= weights[i]! + 1e-6
}

/** Adds a third of the standard deviation that mean squares and means tell. */
function addDeviation(spread: Float32Array, squares: Float32Array, means: Float32Array): void {
  for (let i = 0; i < spread.length; i++) {
    const mean = means[i]!
    spread[i]! += Math.sqrt(Math.max(0, squares[i]! - mean * mean)) / 3
  }
}
