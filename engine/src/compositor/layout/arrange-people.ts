import type { CutKind, UnitSubject } from './layout-subject.ts'
import { applySimilarity } from '../../image/warp.ts'
import type { Point } from '../../image/raster.ts'
import type { PhotoRole } from '../../photo/photo-error.ts'

/** Both people as the layout sees them. */
export type UnitSubjects = Record<PhotoRole, UnitSubject>

/** How both stand relative to each other, whatever the size and the place in the picture. */
export interface Formation {
  userOnLeft: boolean
  /** Who stands in front of the other. */
  front: PhotoRole
  /** Distance of the middles of both faces, in head sizes. */
  spread: number
  /** How much lower the front person's eyes lie, in head sizes. */
  step: number
}

/**
 * Both people in one frame: head sizes about the point between both faces at the height of the
 * back person's eyes. All that doesn't depend on the picture is found here once.
 */
export interface Arrangement extends Formation {
  /** What this formation costs. */
  formationCost: number
  /** How much of the back person's face is covered, 0…1; and of the same a little enlarged. */
  cover: number
  coverAround: number
  /** The smaller of both heads in its photo, in pixels. */
  smallestHead: number
  /** The box about both faces. */
  faces: Box
  /** Outermost hair at both sides, and the top of the higher hair. */
  hair: { left: number; right: number; top: number }
  cuts: readonly ArrangedCut[]
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** A point of a photo's border that the front person doesn't hide. */
export interface ArrangedCut extends Point {
  role: PhotoRole
  kind: CutKind
  /** Length of border it stands for, in head sizes. */
  length: number
  /** At the lower border: the lowest it can be brought to, or undefined where that is hidden. */
  lowest: number | undefined
  /** At the lower border: where the stretch begins. */
  stretchFrom: number
}

/** The front head is nearer to the camera, so it is a little larger than the other. */
const frontScale = 1.01
const backScale = 0.99
/** A body is made longer by at most this factor. */
export const stretchMax = 1.9
/** A matte above this hides a border that lies behind it. */
const hidingAlphaMin = 230
/** A face is enlarged by this when its cover is measured, as the mesh ends before the cheeks do. */
const aroundFace = 1.1

export function scaleOf(role: PhotoRole, front: PhotoRole): number {
  return role === front ? frontScale : backScale
}

/** Where the middle of a face stands in the arrangement's frame. */
export function centreOf(unit: UnitSubject, role: PhotoRole, formation: Formation): Point {
  const onLeft = (role === 'user') === formation.userOnLeft
  const lower = role === formation.front ? formation.step : 0
  return {
    x: (onLeft ? -formation.spread : formation.spread) / 2,
    y: lower - unit.eyes.y * scaleOf(role, formation.front),
  }
}

export function arrangePeople(
  units: UnitSubjects,
  formation: Formation,
  formationCost: number,
): Arrangement {
  const { front, userOnLeft } = formation
  const back = front === 'user' ? 'star' : 'user'
  const toFrame = (role: PhotoRole, point: Point): Point => {
    const centre = centreOf(units[role], role, formation)
    const scale = scaleOf(role, front)
    return { x: centre.x + point.x * scale, y: centre.y + point.y * scale }
  }
  const frontCentre = centreOf(units[front], front, formation)
  const { mask, maskScale } = units[front].subject.silhouette
  const frontAt = ({ x, y }: Point): number => {
    const inPhoto = applySimilarity(units[front].toPhoto, {
      x: (x - frontCentre.x) / frontScale,
      y: (y - frontCentre.y) / frontScale,
    })
    const u = Math.floor(inPhoto.x / maskScale)
    const v = Math.floor(inPhoto.y / maskScale)
    const isOver = u >= 0 && v >= 0 && u < mask.width && v < mask.height
    return isOver ? mask.data[v * mask.width + u]! : 0
  }
  const isHidden = (role: PhotoRole, point: Point): boolean =>
    role === back && frontAt(point) > hidingAlphaMin
  const coverOf = (around: number): number => {
    const { inFace } = units[back]
    const over = inFace.filter(
      ({ x, y }) => frontAt(toFrame(back, { x: x * around, y: y * around })) >= 128,
    )
    return over.length / inFace.length
  }
  const ovals = (['user', 'star'] as const).flatMap((role) =>
    units[role].oval.map((point) => toFrame(role, point)),
  )
  const [left, right] = userOnLeft ? (['user', 'star'] as const) : (['star', 'user'] as const)
  return {
    ...formation,
    formationCost,
    cover: coverOf(1),
    coverAround: coverOf(aroundFace),
    smallestHead: Math.min(units.user.subject.head.size, units.star.subject.head.size),
    faces: {
      left: Math.min(...ovals.map(({ x }) => x)),
      right: Math.max(...ovals.map(({ x }) => x)),
      top: Math.min(...ovals.map(({ y }) => y)),
      bottom: Math.max(...ovals.map(({ y }) => y)),
    },
    hair: {
      left: toFrame(left, { x: -units[left].left, y: 0 }).x,
      right: toFrame(right, { x: units[right].right, y: 0 }).x,
      top: Math.min(
        toFrame('user', { x: 0, y: units.user.top }).y,
        toFrame('star', { x: 0, y: units.star.top }).y,
      ),
    },
    cuts: (['user', 'star'] as const).flatMap((role) => shownCuts(role, toFrame, units, isHidden)),
  }
}

function shownCuts(
  role: PhotoRole,
  toFrame: (role: PhotoRole, point: Point) => Point,
  units: UnitSubjects,
  isHidden: (role: PhotoRole, point: Point) => boolean,
): ArrangedCut[] {
  const { cuts, cutStep, stretchFrom } = units[role]
  const shown: ArrangedCut[] = []
  for (const { kind, ...point } of cuts) {
    const at = toFrame(role, point)
    if (isHidden(role, at)) continue
    const length = Math.max(0, point.y - stretchFrom)
    const lowest = toFrame(role, { x: point.x, y: point.y + length * (stretchMax - 1) })
    shown.push({
      ...at,
      role,
      kind,
      length: cutStep,
      lowest: kind === 'bottom' && !isHidden(role, lowest) ? lowest.y : undefined,
      stretchFrom: toFrame(role, { x: 0, y: stretchFrom }).y,
    })
  }
  return shown
}

/**
 * Distance of the two faces in head sizes: the front person's hair may lie over the other's hair,
 * but stays clear of the other's face.
 */
export function naturalSpread(units: UnitSubjects, userOnLeft: boolean, front: PhotoRole): number {
  const left = userOnLeft ? units.user : units.star
  const [before, behind] = front === 'user' ? [units.user, units.star] : [units.star, units.user]
  const hairBefore = before === left ? before.right : before.left
  const hairBehind = behind === left ? behind.right : behind.left
  const apart = hairBefore + behind.face * 0.95 + 0.45 * Math.max(hairBehind - behind.face, 0)
  return Math.min(Math.max(apart, (before.face + behind.face) * 1.12), 2.6)
}
