import type { Metadata } from 'sharp'

/** Encoders make some ten; the time that a decoder is given ends none. */
const scansMax = 100

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda

/**
 * How many times a JPEG goes over its pixels (ITU-T T.81, section B.2.3), without decoding any: each scan
 * takes its time whatever it says, and may be said in fifty bytes.
 * @param jpeg of any origin
 * @param most it is counted no further than one more than this
 */
export function countScans(jpeg: Uint8Array, most: number): number {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength)
  let scans = 0
  let at = bytes.indexOf(0xff)
  while (at !== -1 && at + 3 < bytes.length && scans <= most) {
    const marker = bytes[at + 1]!
    // Zeros stand behind an FF of a scan's data, and restarts have no content.
    const isAlone = marker <= 0x01 || (marker >= 0xd0 && marker <= startOfImage)
    if (marker === endOfImage) return scans
    if (marker === startOfScan) scans += 1
    const length = marker === 0xff ? 1 : isAlone ? 2 : 2 + bytes.readUInt16BE(at + 2)
    at = bytes.indexOf(0xff, at + length)
  }
  return scans
}

/** Whether a file was made to take long: a JPEG of more scans than any encoder makes. */
export function takesTooManyScans(
  file: Uint8Array,
  { format, isProgressive }: Pick<Metadata, 'format' | 'isProgressive'>,
): boolean {
  return format === 'jpeg' && isProgressive && countScans(file, scansMax) > scansMax
}
