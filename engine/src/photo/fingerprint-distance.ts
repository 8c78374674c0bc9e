/** A perceptual hash, 64 bits as 16 hexadecimal digits; compared by Hamming distance. */
export interface PictureFingerprint {
  /** Of the picture as it is seen. */
  upright: string
  /** Of the same picture as a mirror shows it, the usual way around a block list. */
  mirrored: string
}

/**
 * Up to this Hamming distance two fingerprints count as one picture. Measured over 27 photos:
 * recompression down to JPEG quality 20 changed 2 bits, half the size at quality 60 and 200 pixels
 * wide at quality 40 changed 4, brightening by a fifth 6; two different photos of the same kind
 * differ in 16 and more. A border of two hundredths cut off changes up to 10 and may get past.
 */
export const fingerprintDistanceMax = 8

/** In how many of their 64 bits two hashes of 16 hexadecimal digits differ. */
export function fingerprintDistance(one: string, other: string): number {
  let different = BigInt(`0x${one}`) ^ BigInt(`0x${other}`)
  let count = 0
  for (; different > 0n; different &= different - 1n) count += 1
  return count
}
