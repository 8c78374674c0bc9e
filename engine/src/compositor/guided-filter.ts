import { boxBlur } from './box-blur.ts'
import { clamp, createBytePlane, createPlane } from './raster.ts'
import type { BytePlane, Plane, RgbImage } from './raster.ts'

/** Linear coefficients per pixel: `alpha = r·R + g·G + b·B + base`, with colours 0…1. */
export interface GuidedCoefficients {
  r: Plane
  g: Plane
  b: Plane
  base: Plane
}

/**
 * The guided filter with a colour guide: in every window the matte is explained as a linear
 * function of the colours, so its edge falls on the picture's edge.
 * Source: He, Sun and Tang, "Guided Image Filtering", PAMI 2013, section 3.6 (colour guide).
 * @param guide the photo, at the matte's size
 * @param epsilon how much the coefficients are held back, in squared units of a 0…1 colour
 */
export function guidedCoefficients(
  guide: RgbImage,
  matte: Plane,
  radius: number,
  epsilon: number,
): GuidedCoefficients {
  const { width, height } = matte
  const size = width * height
  const scratch = createPlane(width, height)
  const meanOf = (one: Float32Array, other: Float32Array): Float32Array => {
    for (let i = 0; i < size; i++) scratch.data[i] = one[i]! * other[i]!
    return boxBlur(scratch, radius).data
  }
  const R = createPlane(width, height)
  const G = createPlane(width, height)
  const B = createPlane(width, height)
  for (let i = 0, at = 0; i < size; i++, at += 3) {
    R.data[i] = guide.data[at]! / 255
    G.data[i] = guide.data[at + 1]! / 255
    B.data[i] = guide.data[at + 2]! / 255
  }
  const r = R.data
  const g = G.data
  const b = B.data
  const p = matte.data
  const mR = boxBlur(R, radius).data
  const mG = boxBlur(G, radius).data
  const mB = boxBlur(B, radius).data
  const mP = boxBlur(matte, radius).data
  const rr = meanOf(r, r)
  const rg = meanOf(r, g)
  const rb = meanOf(r, b)
  const gg = meanOf(g, g)
  const gb = meanOf(g, b)
  const bb = meanOf(b, b)
  const rp = meanOf(r, p)
  const gp = meanOf(g, p)
  const bp = meanOf(b, p)
  const base = createPlane(width, height)
  for (let i = 0; i < size; i++) {
    const sRR = rr[i]! - mR[i]! * mR[i]! + epsilon
    const sRG = rg[i]! - mR[i]! * mG[i]!
    const sRB = rb[i]! - mR[i]! * mB[i]!
    const sGG = gg[i]! - mG[i]! * mG[i]! + epsilon
    const sGB = gb[i]! - mG[i]! * mB[i]!
    const sBB = bb[i]! - mB[i]! * mB[i]! + epsilon
    const cR = rp[i]! - mR[i]! * mP[i]!
    const cG = gp[i]! - mG[i]! * mP[i]!
    const cB = bp[i]! - mB[i]! * mP[i]!
    // Inverse of the symmetric 3×3 matrix by cofactors.
    const i11 = sGG * sBB - sGB * sGB
    const i12 = sRB * sGB - sRG * sBB
    const i13 = sRG * sGB - sRB * sGG
    const i22 = sRR * sBB - sRB * sRB
    const i23 = sRB * sRG - sRR * sGB
    const i33 = sRR * sGG - sRG * sRG
    const inverse = 1 / Math.max(sRR * i11 + sRG * i12 + sRB * i13, 1e-18)
    const aR = (i11 * cR + i12 * cG + i13 * cB) * inverse
    const aG = (i12 * cR + i22 * cG + i23 * cB) * inverse
    const aB = (i13 * cR + i23 * cG + i33 * cB) * inverse
    R.data[i] = aR
    G.data[i] = aG
    B.data[i] = aB
    base.data[i] = mP[i]! - aR * mR[i]! - aG * mG[i]! - aB * mB[i]!
  }
  return {
    r: boxBlur(R, radius),
    g: boxBlur(G, radius),
    b: boxBlur(B, radius),
    base: boxBlur(base, radius),
  }
}

/**
 * The matte at the guide's full size from coefficients found at a smaller one.
 * Source: He and Sun, "Fast Guided Filter", 2015, https://arxiv.org/abs/1505.00996
 * @param low what becomes 0
 * @param high what becomes 255
 */
export function applyGuidedCoefficients(
  guide: RgbImage,
  small: GuidedCoefficients,
  low: number,
  high: number,
): BytePlane {
  const { width, height } = guide
  const result = createBytePlane(width, height)
  const { width: smallWidth, height: smallHeight } = small.base
  const left = new Int32Array(width)
  const fraction = new Float32Array(width)
  for (let x = 0; x < width; x++) {
    const sx = clamp(((x + 0.5) * smallWidth) / width - 0.5, 0, smallWidth - 1)
    left[x] = Math.floor(sx) * 4
    fraction[x] = sx - Math.floor(sx)
  }
  // One row of the four coefficients, already interpolated downwards, its last column twice.
  const row = new Float32Array(smallWidth * 4 + 4)
  const planes = [small.r.data, small.g.data, small.b.data, small.base.data] as const
  const gain = 255 / (high - low)
  const colours = guide.data
  const alpha = result.data
  for (let y = 0, i = 0, at = 0; y < height; y++) {
    const sy = clamp(((y + 0.5) * smallHeight) / height - 0.5, 0, smallHeight - 1)
    const y0 = Math.floor(sy)
    const top = y0 * smallWidth
    const below = Math.min(y0 + 1, smallHeight - 1) * smallWidth
    const fy = sy - y0
    for (let k = 0; k < 4; k++) {
      const plane = planes[k]!
      // Colours are bytes here; the base takes the levels.
      const scale = k < 3 ? gain / 255 : gain
      const shift = k < 3 ? 0 : 0.5 - low * gain
      for (let x = 0; x < smallWidth; x++) {
        row[x * 4 + k] = (plane[top + x]! * (1 - fy) + plane[below + x]! * fy) * scale + shift
      }
      row[smallWidth * 4 + k] = row[smallWidth * 4 - 4 + k]!
    }
    for (let x = 0; x < width; x++, i++, at += 3) {
      const l = left[x]!
      const f = fraction[x]!
      const r0 = row[l]!
      const g0 = row[l + 1]!
      const b0 = row[l + 2]!
      const s0 = row[l + 3]!
      const value =
        (r0 + (row[l + 4]! - r0) * f) * colours[at]! +
        (g0 + (row[l + 5]! - g0) * f) * colours[at + 1]! +
        (b0 + (row[l + 6]! - b0) * f) * colours[at + 2]! +
        s0 +
        (row[l + 7]! - s0) * f
      alpha[i] = value < 0 ? 0 : value > 255 ? 255 : value
    }
  }
  return result
}
