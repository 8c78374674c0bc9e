import { standOf } from './arrange-people.ts'
import type { UnitSubjects } from './arrange-people.ts'
import { searchLayout } from './layout-search.ts'
import type { Choice } from './layout-search.ts'
import type { MendedCut } from './layout-cost.ts'
import { toUnits } from './layout-subject.ts'
import type { CutPoint, LayoutSubject, UnitSubject } from './layout-subject.ts'
import type { BodyStretch } from '../borders/stretch-body.ts'
import { applySimilarity, similarity, similarityScale } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** Where one subject stands. */
export interface PlacedSubject {
  /** From the subject's photo to the picture. */
  toPicture: Similarity
  /** Set where a body must be made longer to reach the lower border. */
  stretch: BodyStretch | undefined
  /** The photo's borders that show and are mended. */
  mends: readonly MendedCut[]
}

export interface Layout {
  /** In the order of the subjects. */
  subjects: readonly PlacedSubject[]
  /** Indexes of the subjects from the front to the back, and from left to right. */
  frontToBack: readonly number[]
  leftToRight: readonly number[]
  /** Length of photo borders that stay visible, in head sizes; 0 in a good layout. */
  visibleCut: number
  /** Size of the front head in the picture's pixels. */
  headSize: number
  /** How far the composition is from a good one; to compare layouts of the same people. */
  cost: number
}

/**
 * Places everybody by one cost: borders of the photos that show, then how far the composition is from
 * a selfie's. A face is never nearer to the frame than `faceMarginMin`, but where its photo cuts it, nor covered by more than
 * `faceCoverMax` where that can be had. All heads are alike in size,
 * and with two stars a little smaller behind; who stands behind stands a little higher.
 * @param subjects two or more: the user, or the user's company, comes first, then the stars
 */
export function layOut(subjects: readonly LayoutSubject[], width: number, height: number): Layout {
  const units = subjects.map(toUnits)
  return layoutOf(searchLayout(units, width, height), units, width, height)
}

/** The layout of a placement that the search has found. */
export function layoutOf(
  choice: Choice,
  units: UnitSubjects,
  width: number,
  height: number,
): Layout {
  const { arrangement, placement, shown, cost } = choice
  const { frontToBack, leftToRight } = arrangement
  const { headSize, centreX, eyesY } = placement
  const subjects = units.map((unit, subject) => {
    const { head } = unit.subject
    const stand = standOf(units, subject, arrangement)
    const toPicture = similarity((stand.scale * headSize) / head.size, unit.rotation, head.centre, {
      x: Math.round(centreX * width + stand.x * headSize),
      y: Math.round(eyesY * height + stand.y * headSize),
    })
    return {
      toPicture,
      stretch: stretchOf(toPicture, unit, width, height),
      mends: mendsOf(shown.mended[subject]!),
    }
  })
  return {
    subjects,
    frontToBack,
    leftToRight,
    visibleCut: shown.open,
    headSize,
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
  const inPicture = unit.cuts.filter((cut) =>
    isLowerBorder(cut, middle.x / size + cut.x, width / size),
  )
  if (inPicture.length === 0) return undefined
  const photoEnd = middle.y + Math.min(...inPicture.map((cut) => cut.y)) * size
  const fromRow = middle.y + unit.stretchFrom * size
  return stretchDown(fromRow, photoEnd, height)
}

/** Whether a cut is of the photo's lower border and in the picture; `x` and `width` in head sizes. */
export function isLowerBorder({ kind }: CutPoint, x: number, width: number): boolean {
  return kind === 'bottom' && x > 0 && x < width
}

/** How a body is drawn longer that ends at a row; undefined where that is none or can't be done. */
export function stretchDown(
  fromRow: number,
  photoEnd: number,
  height: number,
): BodyStretch | undefined {
  // The last two rows of a photo are never used.
  return photoEnd >= height + 2 || photoEnd - fromRow <= 2 ? undefined : { fromRow, photoEnd }
}
