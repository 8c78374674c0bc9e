import { gaussianBlur } from '../../image/box-blur.ts'
import type { FaceMesh } from '../faces/face-mesh.ts'
import { createPlane, smoothstep } from '../../image/raster.ts'
import type { BytePlane, Plane } from '../../image/raster.ts'
import { samplePlane } from '../../image/sample-plane.ts'
import { triangleCount } from './face-surface.ts'
import type { FaceSurface } from './face-surface.ts'
import { faceTriangles } from './face-triangles.ts'
import { basisSize, evaluateBasis, sumBasis } from './spherical-harmonics.ts'
import type { Coefficients } from './spherical-harmonics.ts'

/** How many pixels of the picture a pixel of the field stands for. */
export const fieldShrink = 8
/** The normals outside of the face are found at this many pixels. */
const silhouetteShrink = 32
/** How wide a silhouette rounds off, in head sizes. */
const silhouetteSigma = 0.3
/** The final blur, in head sizes: narrower ones model nose and eye sockets and cost identity. */
const blurSigma = 0.12
/** How much what lies outside of the mesh counts in that blur. */
const outsideShare = 0.25
/** How much of the field hair and neck take, and how much the body further below. */
const nearShare = 0.8
const bodyShare = 0.5
/** Hair is brightened by so many stops at most; else its rim glares. */
const outsideBrighteningMax = 0.35

/** All that a field needs of one person, whatever light it is to bring. In the picture's pixels. */
export interface FieldGeometry {
  width: number
  height: number
  surface: FaceSurface
  headSize: number
  /** Pixels of the field that the mesh covers, the three points of each, and their shares. */
  inside: { places: Int32Array; points: Int32Array; shares: Float32Array }
  /** Pixels outside of it with a person: the functions of light there, and what part is taken. */
  outside: { places: Int32Array; basis: Float32Array; shares: Float32Array }
  /** Weight of each pixel in the blur, and the blurred weights. */
  weight: Plane
  blurredWeight: Plane
  /** The middle of each triangle in pixels of the field. */
  centres: Float32Array
  /** Each triangle's share of the mean, which the field doesn't change; their sum is 1. */
  meanShares: Float64Array
}

/**
 * Prepares the field's pixels: the face's triangles, and normals for hair, neck and body from the
 * silhouette, which swells towards the camera as a pillow does.
 * Source of the latter: Johnston, "Lumo: Illumination for Cel Animation", NPAR 2002.
 * @param mesh in the picture's pixels
 * @param headSize in the picture's pixels
 * @param skin weights of the triangles that the mean brightness is kept over
 */
export function prepareGeometry(
  alpha: BytePlane,
  mesh: FaceMesh,
  surface: FaceSurface,
  head: { size: number; chinY: number },
  skin: Float64Array,
): FieldGeometry {
  const width = Math.ceil(alpha.width / fieldShrink)
  const height = Math.ceil(alpha.height / fieldShrink)
  const inside = coverTriangles(mesh, width, height)
  const weight = createPlane(width, height)
  for (const place of inside.places) weight.data[place] = 1
  const outside = coverSilhouette(alpha, weight, head)
  const centres = new Float32Array(triangleCount * 2)
  for (let t = 0; t < triangleCount; t++) {
    for (let k = 0; k < 3; k++) {
      const at = faceTriangles[t * 3 + k]! * 3
      centres[t * 2]! += mesh.points[at]! / (3 * fieldShrink)
      centres[t * 2 + 1]! += mesh.points[at + 1]! / (3 * fieldShrink)
    }
  }
  const sum = skin.reduce((total, value) => total + value, 0) || 1
  return {
    width,
    height,
    surface,
    headSize: head.size,
    inside,
    outside,
    weight,
    blurredWeight: gaussianBlur(weight, (blurSigma * head.size) / fieldShrink),
    centres,
    meanShares: skin.map((value) => value / sum),
  }
}

/**
 * How many stops each pixel is brightened to bring a change of light, at an eighth of the picture's
 * size. The skin's mean stays; nothing moves further than the limit; the blur fills eyes and mouth
 * and hides the mesh's rim (normalised convolution: Knutsson and Westin, CVPR 1993).
 * @param change of the coefficients, in natural logarithms
 * @param limit in stops
 */
export function drawField(ground: FieldGeometry, change: Coefficients, limit: number): Plane {
  const { surface, inside, outside, weight } = ground
  const points = new Float64Array(surface.pointBasis.length / basisSize)
  for (let p = 0; p < points.length; p++) {
    points[p] = sumBasis(change, surface.pointBasis, p * basisSize) / Math.LN2
  }
  let mean = 0
  for (let t = 0; t < triangleCount; t++) {
    for (let k = 0; k < 3; k++)
      mean += (ground.meanShares[t]! * points[faceTriangles[t * 3 + k]!]!) / 3
  }
  for (let p = 0; p < points.length; p++) points[p] = softLimit(points[p]! - mean, limit)
  const field = createPlane(ground.width, ground.height)
  for (let n = 0; n < inside.places.length; n++) {
    let stops = 0
    for (let k = n * 3; k < n * 3 + 3; k++) stops += points[inside.points[k]!]! * inside.shares[k]!
    field.data[inside.places[n]!] = stops
  }
  for (let n = 0; n < outside.places.length; n++) {
    const place = outside.places[n]!
    const stops = softLimit(sumBasis(change, outside.basis, n * basisSize) / Math.LN2 - mean, limit)
    const held = stops > 0 ? softLimit(stops, outsideBrighteningMax) : stops
    field.data[place] = held * outside.shares[n]! * weight.data[place]!
  }
  const blurred = gaussianBlur(field, (blurSigma * ground.headSize) / fieldShrink)
  for (let i = 0; i < blurred.data.length; i++) {
    const share = ground.blurredWeight.data[i]!
    blurred.data[i] = share > 1e-4 ? blurred.data[i]! / share : 0
  }
  return blurred
}

/** Nearly the value itself where it is small, and never beyond the limit. */
function softLimit(stops: number, limit: number): number {
  return limit * Math.tanh(stops / limit)
}

/** The field at the middle of each triangle, in stops. */
export function fieldAtTriangles(ground: FieldGeometry, field: Plane): Float64Array {
  const { centres } = ground
  return Float64Array.from({ length: triangleCount }, (_, t) =>
    samplePlane(field, centres[t * 2]!, centres[t * 2 + 1]!),
  )
}

function coverTriangles(
  { points }: FaceMesh,
  width: number,
  height: number,
): FieldGeometry['inside'] {
  const places: number[] = []
  const corners: number[] = []
  const shares: number[] = []
  const taken = new Uint8Array(width * height)
  for (let t = 0; t < triangleCount; t++) {
    const [a, b, c] = faceTriangles.slice(t * 3, t * 3 + 3) as [number, number, number]
    const [ax, ay] = [points[a * 3]! / fieldShrink, points[a * 3 + 1]! / fieldShrink]
    const [bx, by] = [points[b * 3]! / fieldShrink, points[b * 3 + 1]! / fieldShrink]
    const [cx, cy] = [points[c * 3]! / fieldShrink, points[c * 3 + 1]! / fieldShrink]
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if (Math.abs(area) < 1e-6) continue
    const right = Math.min(width - 1, Math.ceil(Math.max(ax, bx, cx)))
    const bottom = Math.min(height - 1, Math.ceil(Math.max(ay, by, cy)))
    for (let y = Math.max(0, Math.floor(Math.min(ay, by, cy))); y <= bottom; y++) {
      for (let x = Math.max(0, Math.floor(Math.min(ax, bx, cx))); x <= right; x++) {
        const px = x + 0.5
        const py = y + 0.5
        const shareB = ((px - ax) * (cy - ay) - (py - ay) * (cx - ax)) / area
        const shareC = ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) / area
        if (shareB < 0 || shareC < 0 || shareB + shareC > 1 || taken[y * width + x]) continue
        taken[y * width + x] = 1
        places.push(y * width + x)
        corners.push(a, b, c)
        shares.push(1 - shareB - shareC, shareB, shareC)
      }
    }
  }
  return {
    places: Int32Array.from(places),
    points: Int32Array.from(corners),
    shares: Float32Array.from(shares),
  }
}

/** Also sets the weights outside of the mesh. */
function coverSilhouette(
  alpha: BytePlane,
  weight: Plane,
  head: { size: number; chinY: number },
): FieldGeometry['outside'] {
  const { width } = weight
  const shape = shrinkAlpha(alpha, silhouetteShrink)
  const sigma = (silhouetteSigma * head.size) / silhouetteShrink
  const pillow = gaussianBlur(shape, sigma)
  const steep = 0.9 * sigma * Math.sqrt(2 * Math.PI)
  const small = shrinkAlpha(alpha, fieldShrink)
  const places: number[] = []
  for (let i = 0; i < small.data.length; i++) {
    if (weight.data[i] === 1 || small.data[i]! < 0.02) continue
    weight.data[i] = outsideShare * small.data[i]!
    places.push(i)
  }
  const basis = new Float32Array(places.length * basisSize)
  const shares = new Float32Array(places.length)
  const toShape = fieldShrink / silhouetteShrink
  for (const [n, place] of places.entries()) {
    const row = Math.floor(place / width)
    const x = ((place % width) + 0.5) * toShape
    const y = (row + 0.5) * toShape
    let nx = -steep * (samplePlane(pillow, x + 0.5, y) - samplePlane(pillow, x - 0.5, y))
    let ny = steep * (samplePlane(pillow, x, y + 0.5) - samplePlane(pillow, x, y - 0.5))
    const length = Math.hypot(nx, ny)
    if (length > 0.9) {
      nx *= 0.9 / length
      ny *= 0.9 / length
    }
    evaluateBasis(nx, ny, Math.sqrt(1 - nx * nx - ny * ny), basis, n * basisSize)
    const below = ((row + 0.5) * fieldShrink - head.chinY) / head.size
    shares[n] = nearShare + (bodyShare - nearShare) * smoothstep(0.2, 0.7, below)
  }
  return { places: Int32Array.from(places), basis, shares }
}

/** Mean of four places in each square; outside of the picture a person goes on. */
function shrinkAlpha(alpha: BytePlane, factor: number): Plane {
  const result = createPlane(Math.ceil(alpha.width / factor), Math.ceil(alpha.height / factor))
  for (let y = 0, i = 0; y < result.height; y++) {
    for (let x = 0; x < result.width; x++, i++) {
      result.data[i] = meanOfSquare(alpha, x * factor, y * factor, factor >> 2)
    }
  }
  return result
}

function meanOfSquare(alpha: BytePlane, x: number, y: number, quarter: number): number {
  const { data, width, height } = alpha
  const left = Math.min(x + quarter, width - 1)
  const right = Math.min(x + 3 * quarter, width - 1)
  const upper = Math.min(y + quarter, height - 1) * width
  const lower = Math.min(y + 3 * quarter, height - 1) * width
  return (
    (data[upper + left]! + data[upper + right]! + data[lower + left]! + data[lower + right]!) / 1020
  )
}
