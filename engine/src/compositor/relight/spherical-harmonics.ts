/**
 * Light over normals as a sum of nine functions: real spherical harmonics up to order 2, not
 * normalised. Normals have X to the right, Y up and Z to the camera.
 * Source: Ramamoorthi and Hanrahan, "An Efficient Representation for Irradiance Environment Maps",
 * SIGGRAPH 2001: nine hold the light of any surroundings on a matt surface to 1 %.
 */

/** How many functions there are. */
export const basisSize = 9

/** Nine coefficients; of a light they are in natural logarithms of brightness. */
export type Coefficients = readonly number[]

/** Writes the nine functions' values at a unit normal to `target[at…at+8]`. */
export function evaluateBasis(
  x: number,
  y: number,
  z: number,
  target: Float64Array | Float32Array,
  at: number,
): void {
  target[at] = 1
  target[at + 1] = x
  target[at + 2] = y
  target[at + 3] = z
  target[at + 4] = x * y
  target[at + 5] = y * z
  target[at + 6] = x * z
  target[at + 7] = (x * x - y * y) / 2
  target[at + 8] = (3 * z * z - 1) / 2
}

/** The sum of all functions at a place where `evaluateBasis` has put their values. */
export function sumBasis(
  coefficients: Coefficients,
  basis: Float64Array | Float32Array,
  at: number,
): number {
  let sum = 0
  for (let i = 0; i < basisSize; i++) sum += coefficients[i]! * basis[at + i]!
  return sum
}

/**
 * The light when what it falls on is rotated in the picture's plane.
 * @param rotation radians, clockwise as seen in the picture
 */
export function rotateLight(light: Coefficients, rotation: number): Coefficients {
  const [c0, c1, c2, c3, c4, c5, c6, c7, c8] = light as number[]
  // A rotation clockwise in the picture is one by −rotation where Y points up.
  const cos = Math.cos(rotation)
  const sin = Math.sin(rotation)
  const cos2 = Math.cos(2 * rotation)
  const sin2 = Math.sin(2 * rotation)
  return [
    c0!,
    cos * c1! + sin * c2!,
    cos * c2! - sin * c1!,
    c3!,
    cos2 * c4! - sin2 * c7!,
    cos * c5! - sin * c6!,
    cos * c6! + sin * c5!,
    cos2 * c7! + sin2 * c4!,
    c8!,
  ]
}

/** The light of the mirrored photo. */
export function mirrorLight(light: Coefficients): Coefficients {
  return light.map((value, i) => (i === 1 || i === 4 || i === 6 ? -value : value))
}
