import { bodyDistance, nearerBy } from './body-distance.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import { clamp, createPlane, smoothstep } from '../../image/raster.ts'
import type { Plane, Rect } from '../../image/raster.ts'
import { warpToFloats } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** Whose the pixels about a person are: 1 the person's own, 0 a neighbour's. */
export interface Ownership {
  /** Where the plane lies in the photo. */
  region: Rect
  plane: Plane
}

/** Pixels of the plane per head size. */
const cellsPerHead = 30
/** The region about the middle of the face, in head sizes. */
const reach = { aside: 2.8, above: 1.6, below: 4.2 }
/** Colours this far apart (8-bit steps) let little through. */
const colourStep = 12
/** Flow that is always there, so that nothing hangs in the air. */
const flowMin = 1e-3
/** How strongly every pixel is held to its guess; its neighbours hold it with up to 4. */
const priorWeight = 0.01
const sweeps = 100
/** Over-relaxation of the sweeps. */
const relaxation = 1.8
/** How much a head size of distance says about a pixel's owner, and how much colour at most. */
const byDistance = 2.5
const byColourMax = 4

/**
 * Splits people who touch along their colours. A pixel's owner is guessed by distance and by which
 * person's nearest pixels have its colour; then a random walker with these guesses as priors (Grady
 * 2005, https://doi.org/10.1109/CVPR.2005.239) makes one of what has one colour.
 * @param peopleAt the matte of everybody on a grid, which maps to the photo
 */
export function findOwnership(
  photo: Pyramid,
  peopleAt: (toPhoto: Similarity, width: number, height: number) => Plane,
  own: HeadMeasure,
  others: readonly HeadMeasure[],
): Ownership {
  const { width: photoWidth, height: photoHeight } = photo.levels[0]!
  const cell = own.size / cellsPerHead
  const left = clamp(own.centre.x - reach.aside * own.size, 0, photoWidth)
  const top = clamp(own.centre.y - reach.above * own.size, 0, photoHeight)
  const right = clamp(own.centre.x + reach.aside * own.size, 0, photoWidth)
  const bottom = clamp(own.centre.y + reach.below * own.size, 0, photoHeight)
  const width = Math.max(2, Math.ceil((right - left) / cell))
  const height = Math.max(2, Math.ceil((bottom - top) / cell))
  const toPhoto = { a: cell, b: 0, tx: left, ty: top }
  const colours = warpToFloats(photo, toPhoto, {
    width,
    height,
    range: [0, 255],
    outside: 'edge',
  })
  const people = peopleAt(toPhoto, width, height)
  const { plane, known } = guessOwners(toPhoto, colours, people, own, others)
  walk(plane, known, flowOf(colours, people))
  for (let i = 0; i < plane.data.length; i++) {
    plane.data[i] = smoothstep(0.3, 0.7, plane.data[i]!)
  }
  return { region: { x: left, y: top, width: width * cell, height: height * cell }, plane }
}

interface Flow {
  /** From a pixel to the next one on its row, and to the one below. */
  right: Float32Array
  down: Float32Array
}

/** How easily a walker goes from one pixel to the next: along a colour, and within people. */
function flowOf(colours: Float32Array, people: Plane): Flow {
  const { width, height, data } = people
  const right = new Float32Array(width * height)
  const down = new Float32Array(width * height)
  const between = (one: number, other: number): number => {
    let squares = 0
    for (let c = 0; c < 3; c++) squares += (colours[one * 3 + c]! - colours[other * 3 + c]!) ** 2
    const likeness = Math.exp(-squares / (2 * colourStep * colourStep))
    return flowMin + likeness * Math.min(data[one]!, data[other]!)
  }
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (x + 1 < width) right[i] = between(i, i + 1)
      if (y + 1 < height) down[i] = between(i, i + width)
    }
  }
  return { right, down }
}

/** A pixel this far inside of a head (head sizes) is surely that person's. */
const sureInside = 0.08
/** The colours of a person are those of pixels that are nearer to them by this (head sizes). */
const sureNearer = 0.8

/** The guess by distance and colour, and which pixels are surely somebody's (1) or not (0). */
function guessOwners(
  toPhoto: Similarity,
  colours: Float32Array,
  people: Plane,
  own: HeadMeasure,
  others: readonly HeadMeasure[],
): { plane: Plane; known: Uint8Array } {
  const { width, height } = people
  const plane = createPlane(width, height)
  const known = new Uint8Array(width * height)
  const nearer = new Float32Array(width * height)
  const [mine, theirs] = [createHistogram(), createHistogram()]
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const px = toPhoto.a * (x + 0.5) + toPhoto.tx
      const py = toPhoto.a * (y + 0.5) + toPhoto.ty
      nearer[i] = nearerBy(own, others, px, py)
      const isSure = people.data[i]! > 0.5 && Math.abs(nearer[i]!) > sureNearer
      if (isSure) addColour(nearer[i]! > 0 ? mine : theirs, colours, i)
      const inMine = bodyDistance(own, px, py) < -sureInside
      const inTheirs = others.some((other) => bodyDistance(other, px, py) < -sureInside)
      known[i] = inMine || inTheirs ? 1 : 0
    }
  }
  for (let i = 0; i < plane.data.length; i++) {
    const colour = Math.log(shareOf(mine, colours, i) / shareOf(theirs, colours, i))
    const evidence = byDistance * nearer[i]! + clamp(colour, -byColourMax, byColourMax)
    if (known[i] === 1) plane.data[i] = nearer[i]! > 0 ? 1 : 0
    else plane.data[i] = 1 / (1 + Math.exp(-evidence))
  }
  return { plane, known }
}

/** Steps of a colour channel in a histogram. */
const binsPerChannel = 12

interface Histogram {
  counts: Float32Array
  total: number
}

function createHistogram(): Histogram {
  return { counts: new Float32Array(binsPerChannel ** 3), total: 0 }
}

/** The bin of a colour, and its neighbours with less weight, so that shades of one colour meet. */
function* binsOf(colours: Float32Array, i: number): Generator<readonly [number, number]> {
  const [r, g, b] = [0, 1, 2].map((c) =>
    Math.min(binsPerChannel - 1, Math.floor((colours[i * 3 + c]! / 256) * binsPerChannel)),
  ) as [number, number, number]
  for (let dr = -1; dr <= 1; dr++) {
    for (let dg = -1; dg <= 1; dg++) {
      for (let db = -1; db <= 1; db++) {
        const [x, y, z] = [r + dr, g + dg, b + db]
        if (Math.min(x, y, z) < 0 || Math.max(x, y, z) >= binsPerChannel) continue
        const weight = 0.5 ** (Math.abs(dr) + Math.abs(dg) + Math.abs(db))
        yield [(x * binsPerChannel + y) * binsPerChannel + z, weight]
      }
    }
  }
}

function addColour(histogram: Histogram, colours: Float32Array, i: number): void {
  for (const [bin, weight] of binsOf(colours, i)) histogram.counts[bin]! += weight
  histogram.total++
}

/**
 * How usual the colour of a pixel is; never 0, as a person may have colours that weren't counted.
 */
function shareOf({ counts, total }: Histogram, colours: Float32Array, i: number): number {
  const [r, g, b] = [0, 1, 2].map((c) =>
    Math.min(binsPerChannel - 1, Math.floor((colours[i * 3 + c]! / 256) * binsPerChannel)),
  ) as [number, number, number]
  return counts[(r * binsPerChannel + g) * binsPerChannel + b]! / Math.max(total, 1) + 0.002
}

/** Solves for the probabilities by successive over-relaxation; works in place. */
function walk({ data, width, height }: Plane, known: Uint8Array, { right, down }: Flow): void {
  const prior = data.slice()
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        if (known[i] === 1) continue
        let weight = priorWeight
        let sum = priorWeight * prior[i]!
        if (x > 0) {
          weight += right[i - 1]!
          sum += right[i - 1]! * data[i - 1]!
        }
        if (x + 1 < width) {
          weight += right[i]!
          sum += right[i]! * data[i + 1]!
        }
        if (y > 0) {
          weight += down[i - width]!
          sum += down[i - width]! * data[i - width]!
        }
        if (y + 1 < height) {
          weight += down[i]!
          sum += down[i]! * data[i + width]!
        }
        data[i]! += relaxation * (sum / weight - data[i]!)
      }
    }
  }
}
