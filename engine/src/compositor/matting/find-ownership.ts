import { bodyDistance, nearerBy } from './body-distance.ts'
import { bodyProbability } from './body-shape.ts'
import { colourBins, countColours } from './colour-histogram.ts'
import { joinHeads } from '../faces/join-heads.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import { flowOf, walkFrom } from './random-walk.ts'
import type { Flow } from './random-walk.ts'
import { clamp, createPlane } from '../../image/raster.ts'
import type { Plane, Rect } from '../../image/raster.ts'
import { warpToFloats } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** How probably the pixels about a person are the person's own (1), not a neighbour's (0). */
export interface Ownership {
  /** Where the plane lies in the photo. */
  region: Rect
  plane: Plane
}

/** Pixels of the plane per head size. */
const cellsPerHead = 30
/** What is looked at about a point one head size below the middle of the face, in head sizes. */
const reach = 3
/** Of so many neighbours, the nearest ones, it is tried whether they stand in front. */
const triedMax = 3
/** What it costs to part two pixels of one colour, in natural logarithms of probability. */
const edgeCost = 12

/**
 * Parts people who touch. Who stands in front is tried both ways for each neighbour: then the shape
 * of a body tells where its owner is seen, and colours that are surely one person's tell the rest. A
 * random walker with both as priors makes one of what has one colour. The order that explains the
 * photo best is taken, and the colours are counted once more by its answer, as in GrabCut
 * (Rother, Kolmogorov and Blake, SIGGRAPH 2004).
 * @param peopleAt the matte of everybody on a grid, which maps to the photo
 * @param own the heads of those who stay together, at least one
 */
export function findOwnership(
  photo: Pyramid,
  peopleAt: (toPhoto: Similarity, width: number, height: number) => Plane,
  own: readonly HeadMeasure[],
  others: readonly HeadMeasure[],
): Ownership {
  const { width: photoWidth, height: photoHeight } = photo.levels[0]!
  const cell = joinHeads(own).size / cellsPerHead
  const lefts = own.map(({ centre, size }) => centre.x - reach * size)
  const tops = own.map(({ centre, size }) => centre.y - (reach - 1) * size)
  const rights = own.map(({ centre, size }) => centre.x + reach * size)
  const bottoms = own.map(({ centre, size }) => centre.y + (reach + 1) * size)
  const left = clamp(Math.min(...lefts), 0, photoWidth)
  const top = clamp(Math.min(...tops), 0, photoHeight)
  const right = clamp(Math.max(...rights), 0, photoWidth)
  const bottom = clamp(Math.max(...bottoms), 0, photoHeight)
  const width = Math.max(2, Math.ceil((right - left) / cell))
  const height = Math.max(2, Math.ceil((bottom - top) / cell))
  const toPhoto = { a: cell, b: 0, tx: left, ty: top }
  const grid = { width, height, range: [0, 255], outside: 'edge' } as const
  const colours = warpToFloats(photo, toPhoto, grid)
  const people = peopleAt(toPhoto, width, height)
  const evidence = {
    people,
    flow: flowOf(colours, people),
    bins: colourBins(colours),
    shapes: measureShapes(toPhoto, width, height, own, others),
  }
  const plane = findOrder(evidence)
  return { region: { x: left, y: top, width: width * cell, height: height * cell }, plane }
}

/** What is known of each pixel by the heads alone. */
interface Shapes {
  /** How probably the body of each person covers it; the nearest neighbours come first. */
  own: Float32Array
  others: readonly Float32Array[]
  /** How much nearer the own body is, in head sizes. */
  nearer: Float32Array
  /** 1 in somebody's head. */
  known: Uint8Array
  /** 1 where the own chests would be, did nobody stand in front. */
  chest: Uint8Array
}

/** Where a chest is, below the middle of the face and aside, in head sizes. */
const chest = { from: 0.75, to: 1.6, aside: 0.6 }
/** Of a chest at least this part is seen, or the head stands alone. */
const chestSeenMin = 0.3

/** A pixel this far inside of a head (head sizes) is surely that person's. */
const sureInside = 0.08

function measureShapes(
  toPhoto: Similarity,
  width: number,
  height: number,
  own: readonly HeadMeasure[],
  others: readonly HeadMeasure[],
): Shapes {
  const away = (other: HeadMeasure): number =>
    Math.min(
      ...own.map(
        (head) => Math.abs(other.centre.x - head.centre.x) / Math.max(head.size, other.size),
      ),
    )
  const beside = others.toSorted((one, other) => away(one) - away(other))
  const heads = [...own, ...others]
  const shapes = {
    own: new Float32Array(width * height),
    others: beside.map(() => new Float32Array(width * height)),
    nearer: new Float32Array(width * height),
    known: new Uint8Array(width * height),
    chest: new Uint8Array(width * height),
  }
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const px = toPhoto.a * (x + 0.5) + toPhoto.tx
      const py = toPhoto.a * (y + 0.5) + toPhoto.ty
      for (const head of own) {
        shapes.own[i] = Math.max(shapes.own[i]!, bodyProbability(head, px, py))
      }
      for (let n = 0; n < beside.length; n++) {
        shapes.others[n]![i] = bodyProbability(beside[n]!, px, py)
      }
      shapes.nearer[i] = nearerBy(own, others, px, py)
      const isInHead = heads.some((head) => bodyDistance(head, px, py) < -sureInside)
      shapes.known[i] = isInHead ? 1 : 0
      shapes.chest[i] = own.some((head) => isInChest(head, px, py)) ? 1 : 0
    }
  }
  return shapes
}

function isInChest({ centre, size }: HeadMeasure, x: number, y: number): boolean {
  const below = (y - centre.y) / size
  return below > chest.from && below < chest.to && Math.abs(x - centre.x) < chest.aside * size
}

/** All that is measured before anybody's place is known. */
interface Evidence {
  people: Plane
  flow: Flow
  bins: Uint16Array
  shapes: Shapes
}

/** The best answer over who stands in front; neighbours beyond the nearest ones stand behind. */
function findOrder(evidence: Evidence): Plane {
  const { shapes } = evidence
  const tried = Math.min(shapes.others.length, triedMax)
  let best: Answer | undefined
  for (let order = 0; order < 2 ** tried; order++) {
    const answer = answerFor(evidence, shapeEvidence(shapes, order))
    if (!best || isBetter(answer, best)) best = answer
  }
  // Once more with the colours that this answer gives to each.
  const again = answerFor(evidence, best!.byShape, best!.owners)
  return (again.hasBody || !best!.hasBody ? again : best!).owners
}

/** A head without a body would float, so any answer that leaves one is better. */
function isBetter(one: Answer, other: Answer): boolean {
  return one.hasBody === other.hasBody ? one.cost < other.cost : one.hasBody
}

/** Log odds that a pixel is the person's, not a neighbour's; bit n of `order`: n is in front. */
function shapeEvidence({ own, others }: Shapes, order: number): Float32Array {
  const evidence = new Float32Array(own.length)
  for (let i = 0; i < own.length; i++) {
    let noneBefore = 1
    let noneBehind = 1
    for (let n = 0; n < others.length; n++) {
      if (((order >> n) & 1) === 1) noneBefore *= 1 - others[n]![i]!
      else noneBehind *= 1 - others[n]![i]!
    }
    const mine = noneBefore * own[i]!
    const theirs = 1 - noneBefore + noneBefore * (1 - own[i]!) * (1 - noneBehind)
    evidence[i] = Math.log(mine / theirs)
  }
  return evidence
}

interface Answer {
  owners: Plane
  byShape: Float32Array
  /** Negative logarithm of how well it explains the photo. */
  cost: number
  /** Whether enough of the own chest is seen. */
  hasBody: boolean
}

/** @param owners whose the pixels' colours are; where it isn't known yet the shapes tell */
function answerFor(evidence: Evidence, byShape: Float32Array, owners?: Plane): Answer {
  const { people, bins, shapes, flow } = evidence
  const { width, height } = people
  const byColour = colourEvidence(people, bins, byShape, owners)
  const prior = createPlane(width, height)
  for (let i = 0; i < prior.data.length; i++) {
    const sum = byShape[i]! + byColour[i]!
    prior.data[i] =
      shapes.known[i] === 1 ? (shapes.nearer[i]! > 0 ? 1 : 0) : 1 / (1 + Math.exp(-sum))
  }
  const walked = walkFrom(prior, shapes.known, flow)
  const cost = costOf(walked, people, byShape, byColour, flow)
  return { owners: walked, byShape, cost, hasBody: seesChest(walked, people, shapes) }
}

function seesChest(owners: Plane, people: Plane, shapes: Shapes): boolean {
  let seen = 0
  let all = 0
  for (let i = 0; i < owners.data.length; i++) {
    if (shapes.chest[i] === 0 || people.data[i]! < 0.5) continue
    all++
    if (owners.data[i]! > 0.5) seen++
  }
  return seen >= chestSeenMin * all
}

function colourEvidence(
  people: Plane,
  bins: Uint16Array,
  byShape: Float32Array,
  owners: Plane | undefined,
): Float32Array {
  const mine = new Float32Array(bins.length)
  const theirs = new Float32Array(bins.length)
  for (let i = 0; i < bins.length; i++) {
    if (people.data[i]! < 0.5) continue
    const share = owners ? owners.data[i]! : 1 / (1 + Math.exp(-byShape[i]!))
    // What is as probably the one's as the other's tells nothing.
    mine[i] = Math.max(0, 2 * share - 1)
    theirs[i] = Math.max(0, 1 - 2 * share)
  }
  const [own, other] = [countColours(bins, mine).shares, countColours(bins, theirs).shares]
  const evidence = new Float32Array(bins.length)
  for (let i = 0; i < bins.length; i++) {
    evidence[i] = Math.log(own[bins[i]!]! / other[bins[i]!]!)
  }
  return evidence
}

/** What an answer leaves unexplained: pixels against their evidence, and parted pixels of one colour. */
function costOf(
  { data, width, height }: Plane,
  people: Plane,
  byShape: Float32Array,
  byColour: Float32Array,
  { right, down }: Flow,
): number {
  let cost = 0
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const isMine = data[i]! > 0.5
      const sign = isMine ? -1 : 1
      cost += people.data[i]! * (softPlus(sign * byShape[i]!) + softPlus(sign * byColour[i]!))
      if (x + 1 < width && isMine !== data[i + 1]! > 0.5) cost += edgeCost * right[i]!
      if (y + 1 < height && isMine !== data[i + width]! > 0.5) cost += edgeCost * down[i]!
    }
  }
  return cost
}

/** −log of the probability that a logistic variable has the other sign. */
function softPlus(value: number): number {
  return value > 20 ? value : Math.log1p(Math.exp(value))
}
