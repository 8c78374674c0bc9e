/** A square of complex numbers, rows from the top. */
export interface ComplexSquare {
  real: Float64Array
  imaginary: Float64Array
  side: number
}

/**
 * Discrete Fourier transform in two dimensions, in place (Cooley and Tukey 1965, radix 2).
 * @param square its side must be a power of two, 256 at most
 * @param direction 1 from places to frequencies, -1 back; neither is scaled
 */
export function transform(square: ComplexSquare, direction: 1 | -1): void {
  const { side } = square
  for (let row = 0; row < side; row++) transformLine(square, row * side, 1, direction)
  for (let column = 0; column < side; column++) transformLine(square, column, side, direction)
}

/** Cosines and sines of a half turn's parts, by how many parts there are: those of `n` begin at `n`. */
const turnsMax = 256
const cosines = new Float64Array(turnsMax)
const sines = new Float64Array(turnsMax)
for (let parts = 1; parts < turnsMax; parts *= 2) {
  for (let part = 0; part < parts; part++) {
    cosines[parts + part] = Math.cos((Math.PI * part) / parts)
    sines[parts + part] = Math.sin((Math.PI * part) / parts)
  }
}

function transformLine(square: ComplexSquare, start: number, stride: number, sign: 1 | -1): void {
  const { real, imaginary, side } = square
  reverseBits(square, start, stride)
  for (let half = 1; half < side; half *= 2) {
    for (let k = 0; k < half; k++) {
      const cosine = cosines[half + k]!
      const sine = -sign * sines[half + k]!
      for (let group = k; group < side; group += 2 * half) {
        const a = start + group * stride
        const b = a + half * stride
        const re = real[b]! * cosine - imaginary[b]! * sine
        const im = real[b]! * sine + imaginary[b]! * cosine
        real[b] = real[a]! - re
        imaginary[b] = imaginary[a]! - im
        real[a]! += re
        imaginary[a]! += im
      }
    }
  }
}

function reverseBits(
  { real, imaginary, side }: ComplexSquare,
  start: number,
  stride: number,
): void {
  for (let i = 1, j = 0; i < side; i++) {
    let bit = side >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i >= j) continue
    const a = start + i * stride
    const b = start + j * stride
    // By hand, as it is done for every line of many pictures.
    const re = real[a]!
    const im = imaginary[a]!
    real[a] = real[b]!
    imaginary[a] = imaginary[b]!
    real[b] = re
    imaginary[b] = im
  }
}
