import type { FaceMesh } from '../faces/face-mesh.ts'
import type { FoundFace } from '../faces/find-faces.ts'
import { applySimilarity } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** A face of the composite and the place where the other picture has it. */
export interface FacePair {
  from: FoundFace
  to: FoundFace
  /** Maps the composite's face onto the other's place without changing its shape. */
  place: Similarity
}

/** Faces of the other picture that are looked at: the largest ones. */
const facesMax = 6
/** How far apart the meshes of a pair may be once they lie on each other, in head sizes (RMS). */
const shapeErrorMax = 0.04
/** How far the whole of the picture's faces may have moved apart or together, in head sizes. */
const placeErrorMax = 0.3
const scaleMax = 1.5

/**
 * Finds each face of a composite in a picture that was made of it, which may be cut, shifted or
 * scaled as a whole.
 * @returns undefined where somebody is missing, stands elsewhere or holds their head otherwise
 */
export function matchFaces(
  composite: readonly FoundFace[],
  picture: readonly FoundFace[],
): FacePair[] | undefined {
  const largest = picture
    .toSorted((one, other) => other.head.size - one.head.size)
    .slice(0, facesMax)
  const choices = choose(largest, composite.length).map((faces) => {
    const whole = fitSimilarity(composite, faces, false)
    return { faces, whole, error: placeError(composite, faces, whole) }
  })
  const [best] = choices.toSorted((one, other) => one.error - other.error)
  if (best === undefined || best.error > placeErrorMax) return undefined
  const wholeScale = Math.hypot(best.whole.a, best.whole.b)
  const pairs = composite.map((from, index) => {
    const to = best.faces[index]!
    return { from, to, place: fitSimilarity([from], [to]) }
  })
  const fits = ({ from, to, place }: FacePair) => {
    const scale = Math.hypot(place.a, place.b) / wholeScale
    const isSized = scale < scaleMax && scale > 1 / scaleMax
    return isSized && shapeError(from.mesh, to, place) <= shapeErrorMax
  }
  return pairs.every(fits) ? pairs : undefined
}

/** Every way to take so many faces in an order. */
function choose(faces: readonly FoundFace[], count: number): FoundFace[][] {
  if (count === 0) return [[]]
  return faces.flatMap((face) =>
    choose(
      faces.filter((other) => other !== face),
      count - 1,
    ).map((rest) => [face, ...rest]),
  )
}

/**
 * The similarity that lays the points of faces onto those of others with the least squared error.
 * @param turns false for scale and shift alone
 * Source: Umeyama, "Least-squares estimation of transformation parameters", TPAMI 1991, in two dimensions.
 */
function fitSimilarity(
  from: readonly FoundFace[],
  to: readonly FoundFace[],
  turns = true,
): Similarity {
  const pairs = from.flatMap((face, index) => pointPairs(face.mesh, to[index]!.mesh))
  const count = pairs.length
  const meanOf = (axis: 0 | 1 | 2 | 3) => pairs.reduce((sum, pair) => sum + pair[axis], 0) / count
  const [meanX, meanY, meanU, meanV] = [meanOf(0), meanOf(1), meanOf(2), meanOf(3)]
  let dot = 0
  let cross = 0
  let norm = 0
  for (const [x, y, u, v] of pairs) {
    const [dx, dy, du, dv] = [x - meanX, y - meanY, u - meanU, v - meanV]
    dot += dx * du + dy * dv
    cross += dx * dv - dy * du
    norm += dx * dx + dy * dy
  }
  const [a, b] = [dot / norm, turns ? cross / norm : 0]
  return { a, b, tx: meanU - (a * meanX - b * meanY), ty: meanV - (b * meanX + a * meanY) }
}

function pointPairs(from: FaceMesh, to: FaceMesh): [number, number, number, number][] {
  return Array.from({ length: from.points.length / 3 }, (_, index) => {
    const at = index * 3
    return [from.points[at]!, from.points[at + 1]!, to.points[at]!, to.points[at + 1]!]
  })
}

/** How far the middle of the worst face lies from where the whole picture's movement takes it. */
function placeError(
  from: readonly FoundFace[],
  to: readonly FoundFace[],
  whole: Similarity,
): number {
  const errors = from.map(({ head }, index) => {
    const expected = applySimilarity(whole, head.centre)
    const { centre, size } = to[index]!.head
    return Math.hypot(centre.x - expected.x, centre.y - expected.y) / size
  })
  return Math.max(...errors)
}

/** How far the points of a placed face lie from the other's, in its head sizes (RMS). */
function shapeError(from: FaceMesh, to: FoundFace, place: Similarity): number {
  const pairs = pointPairs(from, to.mesh)
  const sum = pairs.reduce((total, [x, y, u, v]) => {
    const placed = applySimilarity(place, { x, y })
    return total + (placed.x - u) ** 2 + (placed.y - v) ** 2
  }, 0)
  return Math.sqrt(sum / pairs.length) / to.head.size
}
