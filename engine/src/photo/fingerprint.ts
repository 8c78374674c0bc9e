import sharp from 'sharp'
import type { PictureFingerprint } from './fingerprint-distance.ts'

/** Pixels a side of the grey picture that is transformed. */
const side = 32
/** The lowest frequencies without the mean, in the order of a JPEG's zigzag. */
const frequencies = lowestFrequencies(64)
const cosines = cosineTable()

/**
 * The perceptual hash by the signs of a discrete cosine transform (pHash; C. Zauner,
 * "Implementation and Benchmarking of Perceptual Image Hash Functions", 2010): the picture is made
 * grey and 32 pixels square, and each of its 64 lowest frequencies gives one bit, set when it is
 * above their median. Mirroring turns the sign of the odd horizontal frequencies, so both hashes
 * come from one transform.
 * @param picture an encoded picture that is upright, such as a normalised photo
 */
export async function fingerprintPicture(picture: Uint8Array): Promise<PictureFingerprint> {
  const pixels = await sharp(picture)
    .flatten({ background: '#f4f4f4' })
    .resize(side, side, { fit: 'fill' })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer()
  const values = frequencies.map(({ across, down }) => amplitude(pixels, across, down))
  const mirrored = values.map((value, index) =>
    (frequencies[index]?.across ?? 0) % 2 === 0 ? value : -value,
  )
  return { upright: bitsAboveMedian(values), mirrored: bitsAboveMedian(mirrored) }
}

/** One coefficient of the two-dimensional DCT-II; its scale does not matter here. */
function amplitude(pixels: Uint8Array, across: number, down: number): number {
  let sum = 0
  for (let y = 0; y < side; y++) {
    let row = 0
    for (let x = 0; x < side; x++) row += pixels[y * side + x]! * cosines[across * side + x]!
    sum += row * cosines[down * side + y]!
  }
  return sum
}

function bitsAboveMedian(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const median = (sorted[values.length / 2 - 1]! + sorted[values.length / 2]!) / 2
  const bits = values.map((value) => (value > median ? '1' : '0')).join('')
  return BigInt(`0b${bits}`).toString(16).padStart(16, '0')
}

function lowestFrequencies(count: number): { across: number; down: number }[] {
  const all = Array.from({ length: 16 * 16 }, (_, i) => ({
    across: i % 16,
    down: Math.floor(i / 16),
  }))
  return all
    .toSorted((a, b) => a.across + a.down - (b.across + b.down) || a.across - b.across)
    .slice(1, count + 1)
}

function cosineTable(): Float64Array {
  const table = new Float64Array(16 * side)
  for (let frequency = 0; frequency < 16; frequency++) {
    for (let x = 0; x < side; x++) {
      table[frequency * side + x] = Math.cos((Math.PI / side) * (x + 0.5) * frequency)
    }
  }
  return table
}
