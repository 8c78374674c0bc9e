import type { HeadMeasure } from './measure-head.ts'
import { clamp } from './raster.ts'
import type { Point } from './raster.ts'
import type { Silhouette } from './silhouette.ts'
import type { BodyStretch } from './stretch-body.ts'
import { applySimilarity, invertSimilarity, similarity, similarityScale } from './warp.ts'
import type { Similarity } from './warp.ts'

/** One of the two people as the layout sees them; pixels of their photo. */
export interface LayoutSubject {
  head: HeadMeasure
  silhouette: Silhouette
}

export interface Layout {
  /** Photo of the user and of the star → picture. */
  user: Similarity
  star: Similarity
  /** Who stands in front of the other. */
  front: 'user' | 'star'
  userOnLeft: boolean
  /** Length of photo borders that stay visible, in head sizes; 0 in a good layout. */
  visibleCut: number
  /** Size of the front head in the picture's pixels. */
  headSize: number
  /** Set where a body must be made longer to reach the lower border. */
  userStretch: BodyStretch | undefined
  starStretch: BodyStretch | undefined
}

/** The front head is nearer to the camera, so it is a little larger than the other. */
const frontScale = 1.01
const backScale = 0.99
/** The front person's eyes lie lower by this part of the head size. */
const eyeStep = 0.08
/** Eyes of a selfie lie above this part of the height, and heads are smaller than that part. */
const eyesLowest = 0.42
const headSizeMax = 0.36
/** A border shorter than this (head sizes) passes for a fold; more than that is worth any detour. */
const cutSeen = 0.08
const cutSeenCost = 10
/** A body may be made longer below this line (head sizes under the chin) by at most this factor. */
const stretchBelowChin = 0.45
const stretchMax = 1.7
/** Heads turned further than this (radians) are turned back to it. */
const rollMax = 0.22

interface Candidate {
  userOnLeft: boolean
  front: 'user' | 'star'
  headSize: number
  spread: number
  /** Where the middle between both faces stands, 0…1 of the width. */
  centreX: number
  /** Where the eyes stand, 0…1 of the height. */
  eyesY: number
}

/** A subject in units of its own head size about the middle of its face, roll corrected. */
interface UnitSubject {
  subject: LayoutSubject
  turn: number
  top: number
  left: number
  right: number
  face: number
  eyes: Point
  /** Points where the photo cuts the person off, other than at its lower border. */
  cuts: Point[]
  /** The same at the lower border: where it is, and where it can be stretched to. */
  bottomCuts: Point[]
  stretchFrom: number
}

/**
 * Places both people. All combinations of side, front, size, spread and position on a coarse grid
 * are judged by one cost: borders of the photos that show, heads that leave the picture, then how
 * far the composition is from a selfie's.
 */
export function layOut(
  user: LayoutSubject,
  star: LayoutSubject,
  width: number,
  height: number,
): Layout {
  const units = { user: toUnits(user), star: toUnits(star) }
  let best: { candidate: Candidate; layout: Layout; cost: number } | undefined
  for (const candidate of candidates(units, width, height)) {
    const cheap = compositionCost(candidate, units, width, height)
    if (best && cheap >= best.cost) continue
    const layout = place(candidate, units, width, height)
    layout.visibleCut = visibleCut(layout, units, width, height)
    const cost = cheap + layout.visibleCut * 9 + (layout.visibleCut > cutSeen ? cutSeenCost : 0)
    if (!best || cost < best.cost) best = { candidate, layout, cost }
  }
  const { layout } = best!
  layout.userStretch = stretchOf(layout, 'user', units.user, width, height)
  layout.starStretch = stretchOf(layout, 'star', units.star, width, height)
  return layout
}

function toUnits(subject: LayoutSubject): UnitSubject {
  const { head, silhouette } = subject
  const turn = clamp(head.roll, -rollMax, rollMax) - head.roll
  const toUnit = similarity(1 / head.size, turn, head.centre, { x: 0, y: 0 })
  const map = (point: Point): Point => applySimilarity(toUnit, point)
  return {
    subject,
    turn,
    top: (silhouette.top - head.centre.y) / head.size,
    left: silhouette.hairLeft / head.size,
    right: silhouette.hairRight / head.size,
    face: head.faceWidth / head.size / 2,
    eyes: applySimilarity(toUnit, head.eyes),
    cuts: silhouette.cuts.filter((cut) => cut.y < silhouette.photoHeight).map(map),
    bottomCuts: silhouette.cuts.filter((cut) => cut.y >= silhouette.photoHeight).map(map),
    stretchFrom: map(head.chin).y + stretchBelowChin,
  }
}

/** The lowest a bottom cut can be brought to, in head sizes. */
function stretched(unit: UnitSubject, y: number): number {
  const length = y - unit.stretchFrom
  return length <= 0 ? y : unit.stretchFrom + length * stretchMax
}

type Units = { user: UnitSubject; star: UnitSubject }

function* candidates(units: Units, width: number, height: number): Generator<Candidate> {
  for (const userOnLeft of [true, false]) {
    for (const front of ['user', 'star'] as const) {
      const spread = naturalSpread(units, userOnLeft, front)
      const preferred = preferredHeadSize(units, userOnLeft, spread, width, height)
      for (const wider of [1, 1.12, 0.9, 0.8]) {
        for (const larger of [1, 1.08, 1.17, 1.27, 1.4, 0.92, 0.84, 0.76]) {
          const headSize = preferred * larger
          const lowest = bottomEyes(units, front, headSize, height)
          const between = (lowest.plain + lowest.stretched) / 2
          for (const centreX of [0.5, 0.46, 0.54, 0.42, 0.58, 0.37, 0.63]) {
            for (const eyesY of [0.4, 0.36, 0.44, 0.49, lowest.plain, between, lowest.stretched]) {
              yield { userOnLeft, front, headSize, spread: spread * wider, centreX, eyesY }
            }
          }
        }
      }
    }
  }
}

/** Where the eyes must stand for both bodies to reach the lower border, without and with stretch. */
function bottomEyes(
  units: Units,
  front: 'user' | 'star',
  headSize: number,
  height: number,
): { plain: number; stretched: number } {
  let plain = 0.3
  let far = 0.3
  for (const which of ['user', 'star'] as const) {
    const unit = units[which]
    const size = headSize * (which === front ? frontScale : backScale)
    const step = which === front ? eyeStep * headSize : 0
    for (const cut of unit.bottomCuts) {
      plain = Math.max(plain, (height + 3 - step - (cut.y - unit.eyes.y) * size) / height)
      far = Math.max(
        far,
        (height + 3 - step - (stretched(unit, cut.y) - unit.eyes.y) * size) / height,
      )
    }
  }
  return { plain: Math.min(plain, 0.8), stretched: Math.min(far, 0.8) }
}

/**
 * Distance of the two faces in head sizes: the front person's hair may lie over the other's hair,
 * but stays clear of the other's face.
 */
function naturalSpread(units: Units, userOnLeft: boolean, front: 'user' | 'star'): number {
  const { hairBefore, behind, hairBehind } = meeting(units, userOnLeft, front)
  const apart = hairBefore + behind.face * 0.95 + 0.45 * Math.max(hairBehind - behind.face, 0)
  return clamp(apart, (units.user.face + units.star.face) * 1.12, 2.6)
}

/** Where both meet: the front person's hair and who is behind, in head sizes. */
function meeting(
  units: Units,
  userOnLeft: boolean,
  front: 'user' | 'star',
): { hairBefore: number; behind: UnitSubject; hairBehind: number } {
  const left = userOnLeft ? units.user : units.star
  const [before, behind] = front === 'user' ? [units.user, units.star] : [units.star, units.user]
  return {
    hairBefore: before === left ? before.right : before.left,
    behind,
    hairBehind: behind === left ? behind.right : behind.left,
  }
}

function preferredHeadSize(
  units: Units,
  userOnLeft: boolean,
  spread: number,
  width: number,
  height: number,
): number {
  const [left, right] = userOnLeft ? [units.user, units.star] : [units.star, units.user]
  const block = left.left + spread + right.right
  return Math.min((0.84 * width) / block, 0.3 * height)
}

/** What a composition costs before any photo border is looked at. */
function compositionCost(
  candidate: Candidate,
  units: Units,
  width: number,
  height: number,
): number {
  const { userOnLeft, front, headSize, spread, centreX, eyesY } = candidate
  const preferredSpread = naturalSpread(units, userOnLeft, front)
  const preferred = preferredHeadSize(units, userOnLeft, preferredSpread, width, height)
  const [left, right] = userOnLeft ? [units.user, units.star] : [units.star, units.user]
  const half = spread / 2
  const leftEdge = centreX * width - (half + left.left) * headSize
  const rightEdge = centreX * width + (half + right.right) * headSize
  const top = Math.min(units.user.top - units.user.eyes.y, units.star.top - units.star.eyes.y)
  const headroom = (eyesY * height + (top - eyeStep) * headSize) / height
  let cost = 0
  cost += front === 'star' ? 0.12 : 0
  cost += (headSize > preferred ? 0.8 : 1.4) * Math.abs(Math.log(headSize / preferred))
  cost += 4 * Math.max(headSize / height - headSizeMax, 0)
  cost += 1.1 * Math.abs(Math.log(spread / preferredSpread))
  const { hairBefore, behind } = meeting(units, userOnLeft, front)
  cost += 4 * Math.max(hairBefore + behind.face * 0.9 - spread, 0)
  cost += 1.5 * Math.abs((leftEdge + rightEdge) / 2 / width - 0.5)
  // A hand's breadth above the hair; much air above is dull, none at all is cramped.
  cost += headroom < 0.09 ? (0.09 - headroom) * 9 : Math.max(headroom - 0.16, 0) * 5
  // Eyes lie in the upper part of a selfie, not in its middle.
  cost += 4 * Math.max(eyesY - eyesLowest, 0)
  if (headroom < 0.02) cost += 20 * (0.02 - headroom) + 1
  const margin = 0.015 * width
  cost +=
    ((Math.max(0, margin - leftEdge) + Math.max(0, rightEdge - width + margin)) / headSize) * 12
  // Both look towards the middle or straight ahead.
  const inwards = (left.subject.head.yaw - right.subject.head.yaw) / 2
  cost += inwards < 0 ? Math.min(-inwards * 0.5, 0.3) : 0
  return cost
}

function place(candidate: Candidate, units: Units, width: number, height: number): Layout {
  const { userOnLeft, front, headSize, spread, centreX, eyesY } = candidate
  const half = (spread / 2) * headSize
  const map = (which: 'user' | 'star'): Similarity => {
    const unit = units[which]
    const isFront = which === front
    const size = headSize * (isFront ? frontScale : backScale)
    const onLeft = (which === 'user') === userOnLeft
    const eyes = eyesY * height + (isFront ? eyeStep : 0) * headSize
    return similarity(size / unit.subject.head.size, unit.turn, unit.subject.head.centre, {
      x: Math.round(centreX * width + (onLeft ? -half : half)),
      y: Math.round(eyes - unit.eyes.y * size),
    })
  }
  return {
    user: map('user'),
    star: map('star'),
    front,
    userOnLeft,
    visibleCut: 0,
    headSize: headSize * frontScale,
    userStretch: undefined,
    starStretch: undefined,
  }
}

/** Length of photo borders inside of the picture and not behind the front person, in head sizes. */
function visibleCut(layout: Layout, units: Units, width: number, height: number): number {
  let length = 0
  for (const which of ['user', 'star'] as const) {
    const unit = units[which]
    const { silhouette, head } = unit.subject
    const map = layout[which]
    const size = similarityScale(map) * head.size
    const middle = applySimilarity(map, head.centre)
    const other = which === 'user' ? 'star' : 'user'
    const hiddenBy = which === layout.front ? undefined : units[other].subject.silhouette
    const toOther = invertSimilarity(layout[other])
    const shows = (x: number, y: number): boolean => {
      // Two pixels of play: the very rim of a photo is never used.
      if (x <= 2 || y <= 2 || x >= width - 2 || y >= height - 2) return false
      if (!hiddenBy) return true
      const at = applySimilarity(toOther, { x, y })
      const u = Math.floor(at.x / hiddenBy.maskScale)
      const v = Math.floor(at.y / hiddenBy.maskScale)
      const { mask } = hiddenBy
      const inside = u >= 0 && v >= 0 && u < mask.width && v < mask.height
      return !(inside && mask.data[v * mask.width + u]! > 230)
    }
    const step = silhouette.maskScale / head.size
    for (const cut of unit.cuts) {
      if (shows(middle.x + cut.x * size, middle.y + cut.y * size)) length += step
    }
    let longest = 1
    for (const cut of unit.bottomCuts) {
      const x = middle.x + cut.x * size
      const y = middle.y + cut.y * size
      if (!shows(x, y)) continue
      if (shows(x, middle.y + stretched(unit, cut.y) * size)) length += step
      const from = middle.y + unit.stretchFrom * size
      longest = Math.max(longest, (height - from) / Math.max(y - from, 1))
    }
    // A longer body is better than a visible border, but worse than none of both.
    length += stretchCost(Math.min(longest, stretchMax))
  }
  return length
}

/** In head sizes of visible border; a little nobody sees. */
function stretchCost(factor: number): number {
  return 0.02 * (factor - 1) + 0.14 * Math.max(0, factor - 1.3)
}

/** Whether and how one body must be made longer in the chosen layout. */
function stretchOf(
  layout: Layout,
  which: 'user' | 'star',
  unit: UnitSubject,
  width: number,
  height: number,
): BodyStretch | undefined {
  const map = layout[which]
  const { head } = unit.subject
  const size = similarityScale(map) * head.size
  const middle = applySimilarity(map, head.centre)
  const inPicture = unit.bottomCuts.filter((cut) => {
    const x = middle.x + cut.x * size
    return x > -0.2 * size && x < width + 0.2 * size
  })
  if (inPicture.length === 0) return undefined
  const photoEnd = middle.y + Math.min(...inPicture.map((cut) => cut.y)) * size
  const fromRow = middle.y + unit.stretchFrom * size
  if (photoEnd >= height + 2 || photoEnd - fromRow < 8) return undefined
  return { fromRow, photoEnd }
}
