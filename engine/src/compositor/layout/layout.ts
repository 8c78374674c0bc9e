import { centreOf, scaleOf } from './arrange-people.ts'
import type { UnitSubjects } from './arrange-people.ts'
import { searchLayout } from './layout-search.ts'
import type { Choice } from './layout-search.ts'
import type { MendedCut } from './layout-cost.ts'
import { toUnits } from './layout-subject.ts'
import type { LayoutSubject, UnitSubject } from './layout-subject.ts'
import type { BodyStretch } from '../borders/stretch-body.ts'
import { applySimilarity, similarity, similarityScale } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'
import type { PhotoRole } from '../../photo/photo-error.ts'

export interface Layout {
  /** Photo of the user and of the star → picture. */
  user: Similarity
  star: Similarity
  /** Who stands in front of the other. */
  front: PhotoRole
  userOnLeft: boolean
  /** Length of photo borders that stay visible, in head sizes; 0 in a good layout. */
  visibleCut: number
  /** Size of the front head in the picture's pixels. */
  headSize: number
  /** Set where a body must be made longer to reach the lower border. */
  userStretch: BodyStretch | undefined
  starStretch: BodyStretch | undefined
  /** The photos' borders that show and are mended. */
  userMends: readonly MendedCut[]
  starMends: readonly MendedCut[]
  /** How far the composition is from a good one; to compare layouts of the same people. */
  cost: number
}

/**
 * Places both people by one cost: borders of the photos that show, then how far the composition
 * is from a selfie's. A face is never nearer to the frame than `faceMarginMin`, nor covered by more
 * than `faceCoverMax` where that can be had.
 */
export function layOut(
  user: LayoutSubject,
  star: LayoutSubject,
  width: number,
  height: number,
): Layout {
  const units = { user: toUnits(user), star: toUnits(star) }
  return layoutOf(searchLayout(units, width, height), units, width, height)
}

function layoutOf(choice: Choice, units: UnitSubjects, width: number, height: number): Layout {
  const { arrangement, placement, shown, cost } = choice
  const { front, userOnLeft } = arrangement
  const { headSize, centreX, eyesY } = placement
  const place = (role: PhotoRole): Similarity => {
    const unit = units[role]
    const { head } = unit.subject
    const centre = centreOf(unit, role, arrangement)
    const scale = (headSize * scaleOf(role, front)) / head.size
    return similarity(scale, unit.rotation, head.centre, {
      x: Math.round(centreX * width + centre.x * headSize),
      y: Math.round(eyesY * height + centre.y * headSize),
    })
  }
  const user = place('user')
  const star = place('star')
  return {
    user,
    star,
    front,
    userOnLeft,
    visibleCut: shown.open,
    headSize: headSize * scaleOf(front, front),
    userStretch: stretchOf(user, units.user, width, height),
    starStretch: stretchOf(star, units.star, width, height),
    userMends: mendsOf(shown.mended.user),
    starMends: mendsOf(shown.mended.star),
    cost,
  }
}

function mendsOf(shown: Record<MendedCut, number>): readonly MendedCut[] {
  const cuts = ['leftShoulder', 'rightShoulder', 'cap'] as const
  return cuts.filter((cut) => shown[cut] > 0)
}

/** Whether and how one body must be made longer in the chosen layout. */
function stretchOf(
  map: Similarity,
  unit: UnitSubject,
  width: number,
  height: number,
): BodyStretch | undefined {
  const { head } = unit.subject
  const size = similarityScale(map) * head.size
  const middle = applySimilarity(map, head.centre)
  const inPicture = unit.cuts.filter((cut) => {
    const x = middle.x + cut.x * size
    return cut.kind === 'bottom' && x > -0.2 * size && x < width + 0.2 * size
  })
  if (inPicture.length === 0) return undefined
  const photoEnd = middle.y + Math.min(...inPicture.map((cut) => cut.y)) * size
  const fromRow = middle.y + unit.stretchFrom * size
  if (photoEnd >= height + 2 || photoEnd - fromRow < 8) return undefined
  return { fromRow, photoEnd }
}
