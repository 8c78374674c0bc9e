import type { Plane } from '../../image/raster.ts'

/** Colours this far apart (8-bit steps) let little through. */
const colourStep = 18
/** How strongly every pixel is held to its guess; its neighbours hold it with up to 4. */
const priorWeight = 0.01
const sweeps = 60
/** Over-relaxation of the sweeps. */
const relaxation = 1.8

/** How easily a walker goes from a pixel to the next one on its row, and to the one below. */
export interface Flow {
  right: Float32Array
  down: Float32Array
}

/** The flow along colours (interleaved, 0…255) and within people (the matte of everybody). */
export function flowOf(colours: Float32Array, people: Plane): Flow {
  const { width, height, data } = people
  const right = new Float32Array(width * height)
  const down = new Float32Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (x + 1 < width) right[i] = flowBetween(colours, data, i, i + 1)
      if (y + 1 < height) down[i] = flowBetween(colours, data, i, i + width)
    }
  }
  return { right, down }
}

function flowBetween(
  colours: Float32Array,
  people: Float32Array,
  one: number,
  other: number,
): number {
  const red = colours[one * 3]! - colours[other * 3]!
  const green = colours[one * 3 + 1]! - colours[other * 3 + 1]!
  const blue = colours[one * 3 + 2]! - colours[other * 3 + 2]!
  const squares = red * red + green * green + blue * blue
  const likeness = Math.exp(-squares / (2 * colourStep * colourStep))
  return likeness * Math.min(people[one]!, people[other]!)
}

/**
 * Solves for the probabilities of a random walker with priors (Grady, "Multilabel Random Walker
 * Image Segmentation Using Prior Models", CVPR 2005) by successive over-relaxation.
 * @param prior each pixel's guess, 0…1
 * @param known 1 where the guess is certain
 */
export function walkFrom(prior: Plane, known: Uint8Array, flow: Flow): Plane {
  const { width, height } = prior
  const data = prior.data.slice()
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let y = 0; y < height; y++) sweepRow(data, prior, known, flow, y)
  }
  return { data, width, height }
}

function sweepRow(
  data: Float32Array,
  { data: prior, width, height }: Plane,
  known: Uint8Array,
  { right, down }: Flow,
  y: number,
): void {
  const start = y * width
  const end = start + width
  for (let i = start; i < end; i++) {
    if (known[i] === 1) continue
    let weight = priorWeight
    let sum = priorWeight * prior[i]!
    if (i > start) {
      weight += right[i - 1]!
      sum += right[i - 1]! * data[i - 1]!
    }
    if (i + 1 < end) {
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
